import { fileURLToPath } from 'node:url';
import { startDemoServers } from './demo-servers.js';
import { openBrowser } from './browser-user.js';

/** `npm run screenshot`: takes the picture of README.md from the demo, with all four delivery statuses on it. */
const PICTURE = fileURLToPath(new URL('../../demo/screenshot.png', import.meta.url));

const servers = await startDemoServers();
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1180, height: 1250 }, reducedMotion: 'reduce' });
const page = await context.newPage();
await page.goto(servers.hostUrl);

const row = (name: string) => page.locator('inventory-editor .sheet .row').filter({ hasText: name });
const fault = (name: string) => page.getByRole('button', { name }).click();

await row('Evening sailing').getByRole('switch').click();
await row('Evening sailing').getByText('Live on the portal').waitFor();
await fault('Refuse the kayak tour');
await row('Kayak tour').getByRole('button', { name: 'Not available' }).click();
await row('Kayak tour').getByText('Not accepted').waitFor();
await fault('Portal down');
await row('Garden room').getByRole('switch').click();
await row('Garden room').getByText('Sent, but ').waitFor();
await page.locator('#journal').getByText('503').first().waitFor();
// Only requests to the proxy are aborted, because the panels of the page still read the journal of the portal.
await page.route(`${servers.proxyUrl}/**`, (route) => route.abort());
await row('Attic room').getByRole('switch').click();
await row('Attic room').getByText('Saved here. ').waitFor();
await page.screenshot({ path: PICTURE });

await browser.close();
await servers.close();
