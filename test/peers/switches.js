/** Switches that a page may have many of, each with the same label. Bundled and run in a browser by the benchmark. */
import '@awesome.me/webawesome/dist/components/switch/switch.js';
import { html, LitElement } from 'lit';
import { switchStyles } from '../../dist/elements/shared/switch.styles.js';
import { tokens } from '../../dist/elements/shared/tokens.js';
import '../../dist/elements/availability-toggle/define.js';
import { styles } from '../../dist/elements/availability-toggle/availability-toggle.styles.js';

/** The same picture as ours, by hand: no form, no language, no item. */
const plain = document.createElement('template');
plain.content.append(
  Object.assign(document.createElement('input'), { type: 'checkbox', role: 'switch', className: 'switch' }),
  Object.assign(document.createElement('slot'), { className: 'label' }),
  Object.assign(document.createElement('span'), { className: 'value', textContent: 'Not available' }),
);

class PlainSwitch extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [tokens, switchStyles, styles];
    root.append(plain.content.cloneNode(true));
    root.addEventListener('change', this);
  }

  handleEvent() {
    const [input, , value] = this.shadowRoot.children;
    value.textContent = input.checked ? 'Available' : 'Not available';
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
customElements.define('plain-switch', PlainSwitch);

/** The same picture in Lit. */
class LitSwitch extends LitElement {
  static styles = [tokens, switchStyles, styles];
  static properties = { checked: { type: Boolean } };

  render() {
    return html`<input
        type="checkbox"
        role="switch"
        class="switch"
        .checked=${this.checked === true}
        @change=${this.onChange}
      /><slot class="label"></slot><span class="value">${this.checked ? 'Available' : 'Not available'}</span>`;
  }

  onChange(event) {
    this.checked = event.target.checked;
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
customElements.define('lit-switch', LitSwitch);

const TAGS = {
  native: 'label',
  plain: 'plain-switch',
  lit: 'lit-switch',
  ours: 'availability-toggle',
  wa: 'wa-switch',
};

/** Makes that many of them, and lays them out. */
globalThis.showSwitches = async (kind, count) => {
  const page = document.createElement('main');
  const switches = document.createDocumentFragment();
  for (let made = 0; made < count; made += 1) {
    const element = document.createElement(TAGS[kind]);
    element.append('Kayak tour');
    if (kind === 'native') element.append(Object.assign(document.createElement('input'), { type: 'checkbox' }));
    switches.append(element);
  }
  page.append(switches);
  document.body.append(page);
  // Elements that draw later do so in microtasks.
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });
  page.getBoundingClientRect();
};

/** @returns nodes inside of the shadow root of the last one */
globalThis.nodesInside = () => {
  const root = document.querySelector('main').lastElementChild.shadowRoot;
  if (root === null) return 0;
  const walker = document.createTreeWalker(root);
  let nodes = 0;
  while (walker.nextNode() !== null) nodes += 1;
  return nodes;
};
