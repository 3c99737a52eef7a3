import { afterThisTest } from './clean-up.js';

/** The browser says that it has no network; the proxy may say something else. @returns puts it back */
export function goOffline(): () => void {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  const goOnline = (): void => {
    Reflect.deleteProperty(navigator, 'onLine');
  };
  afterThisTest(goOnline);
  return goOnline;
}
