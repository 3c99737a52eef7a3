import { fixture, html } from '@open-wc/testing';
import type { ItemId } from '../../../src/domain/item.js';
import type { AvailabilityToggle } from '../../../src/elements/availability-toggle/availability-toggle.js';
import { KAYAK } from '../../client/support/items.js';
import type { FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';

/** The visible content of a toggle. */
export interface Shown {
  readonly value: 'on' | 'off' | 'unknown';
  readonly status: string;
  /** The shapes of the icon before the status, as markup. */
  readonly icon: string;
  /** The attribute that selects the colour of the status. */
  readonly tone: string | undefined;
}

export function shown(toggle: AvailabilityToggle): Shown {
  const root = toggle.renderRoot;
  const status = root.querySelector('[role=status]');
  const shapes = [...(status?.querySelectorAll('svg > *') ?? [])];
  return {
    value: valueOf(root.querySelector('[role=switch]')),
    status: status?.textContent.trim() ?? '',
    icon: shapes.map((shape) => shape.outerHTML.replace(/<!--.*?-->/g, '')).join(''),
    tone: root.querySelector<HTMLElement>('[part=status]')?.dataset['truth'],
  };
}

function valueOf(control: HTMLInputElement | null): Shown['value'] {
  if (control === null || control.hidden) return 'unknown';
  return control.checked ? 'on' : 'off';
}

/** The text of the value, beside the label. */
export function words(toggle: AvailabilityToggle): string {
  return toggle.renderRoot.querySelector('[part=value]')?.textContent.trim() ?? '';
}

export function control(toggle: AvailabilityToggle): HTMLInputElement {
  const input = toggle.renderRoot.querySelector<HTMLInputElement>('[role=switch]');
  if (input === null) throw new Error('it has no switch');
  return input;
}

/** The two choices of an unknown value. */
export function choices(toggle: AvailabilityToggle): HTMLButtonElement[] {
  return [...toggle.renderRoot.querySelectorAll<HTMLButtonElement>('[role=group] button')];
}

export function tryAgain(toggle: AvailabilityToggle): HTMLButtonElement | undefined {
  return [...toggle.renderRoot.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'Send again',
  );
}

/** Returns a boolean, because a failed comparison of two elements would print both with all their content. */
export function hasFocus(element: Element): boolean {
  return element.matches(':focus');
}

export function untilStatus(toggle: AvailabilityToggle, text: string): Promise<void> {
  return until(() => shown(toggle).status.includes(text), `the status says "${text}"`);
}

/** Opens a toggle, and waits until its proxy has responded. */
export async function readyToggle(proxy: FakeProxy, item: ItemId = KAYAK): Promise<AvailabilityToggle> {
  let ready = false;
  const toggle = await fixture<AvailabilityToggle>(
    html`<availability-toggle
      item=${item}
      proxy=${proxy.url}
      @inventory-ready=${() => {
        ready = true;
      }}
      >Kayak tour</availability-toggle
    >`,
  );
  await until(() => ready, 'the proxy has answered');
  await toggle.updateComplete;
  return toggle;
}

/** Records the events of these types that an element fires from now on. */
export function recordEvents<T extends Event = Event>(element: EventTarget, ...types: string[]): T[] {
  const events: T[] = [];
  for (const type of types) {
    element.addEventListener(type, (event) => {
      events.push(event as T);
    });
  }
  return events;
}
