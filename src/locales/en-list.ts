import type { ListTexts } from './dictionary.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/** What a list says, and a toggle never does. */
export const enList: ListTexts = {
  missingPart: 'This list has not loaded completely, so it cannot be changed yet. Check your connection.',
  triedAgain: (time) => `Tried again at ${time}.`,
  inventory: 'Inventory',
  loading: 'Loading the inventory…',
  empty: 'No items yet. Items appear here as soon as this page or the inventory service names them.',
  openCount: (count) => counted(count, 'change is not on the portal yet', 'changes are not on the portal yet'),
  nothingOpen: 'Nothing is waiting',
  columns: { item: 'Item', group: 'Group', availability: 'Availability', status: 'Status', updated: 'Last update' },
  total: (count) => counted(count, 'item', 'items'),
  counting: 'counting…',
  selectEvery: 'Select all items that are listed',
};
