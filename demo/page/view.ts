import { byId } from './on-page.js';

/** The area with the elements. Each choice of how they are shown is in the address, so that a state can be linked to. */
const area = byId('admin');
const query = new URLSearchParams(location.search);
const choices = [...document.querySelectorAll<HTMLSelectElement>('[data-view]')];

const FIVE = JSON.parse(byId('five-items').textContent) as readonly object[];
const GROUPS = ['Boats', 'Guest house', 'Workshop', 'Market stall'];

function manyItems(count: number): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `item-${String(at + 1)}`,
    label: `Item ${String(at + 1)}`,
    group: GROUPS[at % GROUPS.length],
    ...(at % 7 !== 0 && { available: at % 3 !== 0 }),
  }));
}

/** The session and the items of each state. */
const STATES: Readonly<Record<string, { readonly session: string; readonly items: () => readonly object[] }>> = {
  five: { session: '/inventory-session', items: () => FIVE },
  many: { session: '/inventory-session?as=many', items: () => manyItems(100_000) },
  visitor: { session: '/inventory-session?as=visitor', items: () => FIVE },
  empty: { session: '/inventory-session?as=newcomer', items: () => [] },
  loading: { session: '/inventory-session?as=newcomer&state=slow', items: () => [] },
  broken: { session: '/inventory-session?state=broken', items: () => FIVE },
  'signed-out': { session: '/inventory-session?state=signed-out', items: () => FIVE },
};

function chosen(name: string): string {
  return choices.find((choice) => choice.dataset['view'] === name)?.value ?? '';
}

function apply(): void {
  const theme = chosen('theme');
  document.documentElement.dataset['theme'] = theme;
  area.dataset['width'] = chosen('width');
  area.lang = chosen('lang');
  area.dir = area.lang === 'ar' ? 'rtl' : 'ltr';
  const state = STATES[chosen('state')] ?? STATES['five'];
  if (state === undefined) return;
  for (const element of area.querySelectorAll('inventory-editor, availability-toggle[item]')) {
    element.setAttribute('session', state.session);
    element.setAttribute('density', chosen('density'));
  }
  const editor: (Element & { items?: readonly object[] }) | null = area.querySelector('inventory-editor');
  if (editor === null) return;
  editor.setAttribute('save-mode', chosen('saving'));
  editor.items = state.items();
}

for (const choice of choices) {
  const name = choice.dataset['view'] ?? '';
  const wanted = query.get(name);
  if ([...choice.options].some(({ value }) => value === wanted)) choice.value = wanted ?? '';
  choice.addEventListener('change', () => {
    if (choice.selectedIndex === 0) query.delete(name);
    else query.set(name, choice.value);
    const search = query.toString();
    history.replaceState(null, '', search === '' ? location.pathname : `?${search}`);
    apply();
  });
}
apply();
