import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { useDemo } from './use-demo.js';

/**
 * Older admin pages load a library that replaces built-in functions of the browser: Prototype.js 1.7 (Magento 1,
 * OpenMage) has an `Array.from` that ignores its mapper and a `remove` that throws on a detached element, MooTools 1.4
 * (Joomla 3) has such an `Array.from` and its own `Event`. Both libraries were tried; these replacements do the same.
 */
const LIBRARIES: Readonly<Record<string, () => void>> = {
  'Prototype.js': () => {
    Array.from = (items: ArrayLike<unknown>): never[] => {
      const copy: unknown[] = [];
      for (let at = 0; at < items.length; at += 1) copy.push(items[at]);
      return copy as never[];
    };
    HTMLElement.prototype.remove = function () {
      (this.parentNode as Node).removeChild(this);
    };
  },
  MooTools: () => {
    Array.from = (item: ArrayLike<unknown>): never[] => Array.prototype.slice.call(item) as never[];
    window.Event = new Proxy(Event, {
      construct() {
        throw new TypeError('it wraps events that there are');
      },
    });
  },
  'extended prototypes of Array, String and Number': () => {
    const extensions: Record<string, unknown> = {
      toJSON(this: unknown) {
        return `extended ${String(this)}`;
      },
      last: () => undefined,
    };
    Object.assign(Array.prototype, extensions);
    Object.assign(String.prototype, extensions);
    Object.assign(Number.prototype, extensions);
  },
  'a replaced JSON': () => {
    const { parse, stringify } = JSON;
    Object.assign(window, {
      // As json2.js of 2007 does: arrays become the text of their `toString`.
      JSON: { parse, stringify: (value: unknown) => stringify(Array.isArray(value) ? String(value) : value) },
    });
  },
  'a replaced Promise': () => {
    const Native = Promise;
    // As polyfills do: it uses no microtasks, and has no method that is newer than 2015.
    class LatePromise<T> {
      readonly #inner: Promise<T>;

      constructor(start: ConstructorParameters<typeof Promise<T>>[0]) {
        this.#inner = new Native(start);
      }

      then(...listeners: [((value: T) => unknown)?, ((reason: unknown) => unknown)?]): unknown {
        const [onValue, onReason] = listeners.map(
          (listener) => listener && later(listener as (value: unknown) => unknown),
        );
        const next = this.#inner.then(onValue, onReason);
        return new LatePromise((resolve, reject) => void next.then(resolve, reject));
      }

      catch(onReason: (reason: unknown) => unknown): unknown {
        return this.then(undefined, onReason);
      }

      finally(work: () => void): unknown {
        return this.then(
          (value) => {
            work();
            return value;
          },
          (reason: unknown) => {
            work();
            throw reason;
          },
        );
      }

      static resolve = (value: unknown): unknown => new LatePromise((resolve) => void resolve(value));
      static reject = (reason: unknown): unknown => new LatePromise((_, reject) => void reject(reason));
      static all = (all: Iterable<unknown>): unknown =>
        new LatePromise((...ends) => void Native.all(all).then(...ends));
      static race = (all: Iterable<unknown>): unknown =>
        new LatePromise((...ends) => void Native.race(all).then(...ends));
    }
    const later = (listener: (value: unknown) => unknown) => (value: unknown) =>
      new Native((resolve, reject) => {
        setTimeout(() => {
          try {
            resolve(listener(value));
          } catch (error) {
            reject(error as Error);
          }
        });
      });
    Object.assign(window, { Promise: LatePromise });
  },
};

describe('a host page', () => {
  const demo = useDemo();

  for (const [library, replace] of Object.entries(LIBRARIES)) {
    describe(`with ${library}`, () => {
      // Earlier pages have changed other items.
      const boat = `boat at ${library}`;
      const sauna = { id: `sauna at ${library}`, label: `Sauna at ${library}`, available: true };
      let page: Page;

      before(async () => {
        page = await demo.browser.newPage();
        // The TypeScript loader adds calls of `__name`, which the page does not have.
        await page.addInitScript('globalThis.__name = (named) => named');
        await page.addInitScript(replace);
        await page.goto(`${demo.servers.hostUrl}/page.css`);
      });

      /** Replaces the content of the page by one element. Call it again after a reload. */
      async function put(tag: string, given: object): Promise<void> {
        await page.evaluate(
          async ([name, properties, script]) => {
            const element = Object.assign(document.createElement(name), { session: '/inventory-session' }, properties);
            document.body.replaceChildren(element);
            await import(script);
          },
          [tag, given, `${demo.servers.proxyUrl}/widget.js`] as const,
        );
      }

      it('has toggles that deliver a choice to the portal, and that can lose their item', async () => {
        const earlier = (await deliveries(demo.servers)).length;
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await put('availability-toggle', { item: boat });
        const toggle = page.locator('availability-toggle');

        await toggle.getByRole('button', { name: 'Available', exact: true }).click();
        await toggle.getByText('Live on the portal').waitFor();
        await toggle.evaluate((element) => {
          element.removeAttribute('item');
        });
        await toggle.getByText('Live on the portal').waitFor({ state: 'detached' });

        assert.deepEqual((await deliveries(demo.servers)).slice(earlier), [[boat, true]]);
        assert.deepEqual(errors, []);
      });

      it('has an editor whose drafts come back after a reload', async () => {
        const earlier = (await deliveries(demo.servers)).length;
        await put('inventory-editor', { items: [sauna] });
        const row = page.locator('inventory-editor .sheet .row').filter({ hasText: sauna.label });
        await row.getByRole('switch').click();
        await row.getByText('Not saved yet').waitFor();
        await page.locator('inventory-editor').getByText('1 change', { exact: true }).first().waitFor();
        // A draft is stored one frame after it is shown.
        await page.waitForFunction(isDraftKept);
        await page.reload();
        await put('inventory-editor', { items: [sauna] });

        await page.locator('inventory-editor').getByRole('button', { name: 'Bring back' }).click();
        await page.locator('inventory-editor').getByRole('button', { name: 'Save', exact: true }).click();

        assert.deepEqual((await untilDelivered(demo.servers, earlier + 1)).slice(earlier), [[sauna.id, false]]);
      });
    });
  }
});

/** Runs in the page. */
async function isDraftKept(): Promise<boolean> {
  const name = 'vendor-inventory-drafts';
  if (!(await indexedDB.databases()).some((one) => one.name === name)) return false;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => {
      reject(new Error('no database'));
    };
    opening.onsuccess = () => {
      const counting = opening.result.transaction('drafts').objectStore('drafts').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result > 0);
      };
    };
  });
}
