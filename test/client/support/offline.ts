import { afterThisTest } from './clean-up.js';

/** Makes the browser report that it is offline; requests still work. @returns a function that ends it */
export function goOffline(): () => void {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  const goOnline = (): void => {
    Reflect.deleteProperty(navigator, 'onLine');
  };
  afterThisTest(goOnline);
  return goOnline;
}
