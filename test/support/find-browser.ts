import { aptInstall, canInstall, onPath, tellsItsVersion } from './installed-programs.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/**
 * The path of a Chromium that starts: `CHROME_PATH`, one on the PATH, or Debian's package, if this process may install it.
 * A file of the right name may not be a browser (Ubuntu's `chromium-browser` may only ask for a snap), so a candidate must
 * print its version.
 */
export function findBrowser(): string {
  const found = installedBrowser() ?? (canInstall() ? installBrowser() : undefined);
  if (found === undefined) {
    throw new Error('No browser found: install Chromium, or set CHROME_PATH to the path of one.');
  }
  return found;
}

function installedBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'] ?? '';
  return [named, ...onPath(NAMES)].find(tellsItsVersion);
}

function installBrowser(): string | undefined {
  return aptInstall('chromium') ? installedBrowser() : undefined;
}
