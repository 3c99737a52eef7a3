/** `npm run visual`: draws the stored pictures again. Look at them before you commit them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { DEVICES, drawEditor, looksOn, type Device } from './editor-gallery.js';
import { draw, LOOKS, openStudio } from './gallery.js';

const browser = await openStudio();
for (const look of LOOKS) await writeFile(new URL(`${look.name}.png`, import.meta.url), await draw(browser, look));
for (const device of Object.keys(DEVICES) as Device[]) {
  await mkdir(new URL(`${device}/`, import.meta.url), { recursive: true });
  for (const look of looksOn(device))
    await writeFile(new URL(`${device}/${look.name}.png`, import.meta.url), await drawEditor(browser, look, device));
}
await browser.close();
