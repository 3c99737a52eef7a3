/** `npm run visual`: draws the stored pictures anew. Look at them before they are committed. */
import { writeFile } from 'node:fs/promises';
import { draw, LOOKS, openStudio } from './gallery.js';

const browser = await openStudio();
for (const look of LOOKS) await writeFile(new URL(`${look.name}.png`, import.meta.url), await draw(browser, look));
await browser.close();
