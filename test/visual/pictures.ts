import type { Browser } from 'playwright-core';

/** A place where two pictures differ, in pixels of the stored one. */
export interface Difference {
  readonly x: number;
  readonly y: number;
}

/** Of a side of the squares that are compared. */
const CELL = 4;

/**
 * Of 255, between the means of two squares. How an edge is smoothed changes with each version of a browser, by a few of these;
 * a sign that is gone, a wrong colour or a box that has moved, by more.
 */
const TOLERANCE = 28;

/** @returns where they differ; another size is a difference at the corner that only one of them has */
export function differences(browser: Browser, stored: Buffer, drawn: Buffer): Promise<Difference[]> {
  return inPage(
    browser,
    async ({ pictures, cell, tolerance }) => {
      const [one, other] = await Promise.all(
        pictures.map(async (data) => {
          const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          if (context === null) throw new Error('there is no canvas');
          context.drawImage(image, 0, 0);
          return context.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (one === undefined || other === undefined) throw new Error('two pictures are compared');
      const { width, height } = one;
      if (other.width !== width || other.height !== height)
        return [{ x: Math.min(width, other.width), y: Math.min(height, other.height) }];
      const found: { x: number; y: number }[] = [];
      for (let y = 0; y + cell <= height; y += cell) {
        for (let x = 0; x + cell <= width; x += cell) {
          const sums = [0, 0, 0];
          for (let at = 0; at < cell * cell; at += 1) {
            const pixel = 4 * ((y + Math.floor(at / cell)) * width + x + (at % cell));
            for (const channel of [0, 1, 2])
              sums[channel]! += one.data[pixel + channel]! - other.data[pixel + channel]!;
          }
          if (sums.some((sum) => Math.abs(sum) > tolerance * cell * cell)) found.push({ x, y });
        }
      }
      return found;
    },
    { pictures: [stored.toString('base64'), drawn.toString('base64')], cell: CELL, tolerance: TOLERANCE },
  );
}

async function inPage<Given, Made>(
  browser: Browser,
  work: (given: Given) => Promise<Made>,
  given: Given,
): Promise<Made> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(work as never, given as never);
  } finally {
    await page.close();
  }
}
