import '/widget/widget.js';

/** The editor as it is served, with all that it can do, in its own tags and keys. */
const editor = document.createElement('inventory-editor');
editor.style.setProperty('--inventory-list-height', '720px');
let answered = false;
editor.addEventListener('inventory-ready', () => (answered = true));

const within = (selector) => editor.shadowRoot?.querySelector(selector);
const rows = () =>
  [...(editor.shadowRoot?.querySelectorAll('.sheet > .row') ?? [])].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);

globalThis.list = {
  open(parent, items) {
    editor.items = items;
    parent.append(editor);
  },
  isReady: () => answered && within('[part=tools]') !== null && /\d/.test(within('.total').textContent),
  first: () => rows()[0]?.querySelector('.name span').textContent,
  isOn: (at) => rows()[at]?.querySelector('[role=switch]').getAttribute('aria-checked') === 'true',
  toggle: (at) => rows()[at].querySelector('[role=switch]').click(),
  /** Who types has come to the field first. */
  focusSearch: () => within('input').focus(),
  search(text) {
    const field = within('input');
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  },
  isFound: () => within('[role=grid]').getAttribute('aria-rowcount') !== '-1',
  /** A person has opened some dialog before: its file is there. Who presses a key in the list has come to it first. */
  async warmUp() {
    const key = new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true });
    rows()[0].querySelector('button').dispatchEvent(key);
    while (!within('dialog[open]')) await new Promise(requestAnimationFrame);
    within('dialog').close();
    rows()[0].querySelector('[role=switch]').focus();
    await new Promise((resolve) => setTimeout(resolve, 200));
  },
  selectAll() {
    const key = new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, composed: true });
    rows()[0].querySelector('[role=switch]').dispatchEvent(key);
  },
  /** The row is drawn as selected, and the bar says how many are. */
  isSelected: (at) => rows()[at]?.ariaSelected === 'true' && within('[part=selection]') !== null,
  openPreview(value) {
    within(`[part=selection] button.${value ? 'opens' : 'closes'}`).click();
  },
  isPreviewed: () => within('dialog[open] .strong') !== null,
  setAll: () => within('dialog[open] .strong').click(),
  scrollTo: (px) => (within('.scroller').scrollTop = px),
  isFilled() {
    const scroller = within('.scroller');
    const places = rows().map(({ ariaRowIndex }) => ariaRowIndex - 2);
    const first = Math.floor(scroller.scrollTop / 60);
    const last = Math.ceil((scroller.scrollTop + scroller.clientHeight - 40) / 60) - 1;
    for (let place = first; place <= last; place += 1) if (!places.includes(place)) return false;
    return true;
  },
  jump(share) {
    const scroller = within('.scroller');
    scroller.scrollTop = share * scroller.scrollHeight;
  },
  hasJumped: () => within('.scroller').scrollTop === 0 || rows().length === 0 || rows().at(-1).ariaRowIndex > 30,
};
