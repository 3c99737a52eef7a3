import { byId, detail } from './on-page.js';

/** The events that the elements fire for the scripts of the host's page. */
const EVENTS = [
  'inventory-ready',
  'inventory-change',
  'inventory-receipt',
  'inventory-saved',
  'inventory-error',
  'inventory-session-expired',
];
const SHOWN = 30;

const list = byId('events');

function write(event: Event): void {
  const line = document.createElement('li');
  const name = document.createElement('b');
  name.textContent = event.type;
  const target = event.target instanceof Element ? ` on <${event.target.localName}>` : '';
  line.append(name, target);
  const { itemId, available, truth, code } = event as Event & Readonly<Record<string, unknown>>;
  const told = Object.entries({ itemId, available, truth, code }).filter(([, value]) => value !== undefined);
  if (told.length > 0) line.append(detail(JSON.stringify(Object.fromEntries(told))));
  list.prepend(line);
  while (list.childElementCount > SHOWN) list.lastElementChild?.remove();
  byId('events-empty').hidden = true;
}

for (const type of EVENTS) document.addEventListener(type, write);
