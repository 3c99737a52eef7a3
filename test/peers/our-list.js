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
  /** A person has opened some dialog before: its file is there. */
  async warmUp() {
    const key = new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true });
    rows()[0].querySelector('button').dispatchEvent(key);
    while (!within('dialog[open]')) await new Promise(requestAnimationFrame);
    within('dialog').close();
    await new Promise((resolve) => setTimeout(resolve, 200));
  },
  /** Selected and set as the dialog does it, without the time that a person takes to read its preview. */
  setAll(value) {
    const key = new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, composed: true });
    rows()[0].querySelector('[role=switch]').dispatchEvent(key);
    const label = value ? 'Set available' : 'Set unavailable';
    const press = () => {
      const bar = [...editor.shadowRoot.querySelectorAll('[part=selection] button')];
      const button = bar.find(({ textContent }) => textContent.trim() === label);
      if (button === undefined) return void requestAnimationFrame(press);
      button.click();
      confirm();
    };
    const confirm = () => {
      const button = within('dialog[open] .strong');
      if (button) button.click();
      else requestAnimationFrame(confirm);
    };
    press();
  },
  jump(share) {
    const scroller = within('.scroller');
    scroller.scrollTop = share * scroller.scrollHeight;
  },
  hasJumped: () => within('.scroller').scrollTop === 0 || rows().length === 0 || rows().at(-1).ariaRowIndex > 30,
};
