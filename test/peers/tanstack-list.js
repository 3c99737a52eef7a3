import { html, LitElement } from 'lit';
import { VirtualizerController } from '@tanstack/lit-virtual';

/** As its documentation shows it: lit draws, the virtualizer says which rows. */
const ROW = 60;
const HEIGHT = 720;

class TanstackList extends LitElement {
  items = [];
  /** Places of items; `undefined`: all of them. Nothing is done for each item before somebody asks for it. */
  shown;
  /** 0: as the array says, 1: not available, 2: available. */
  on = new Uint8Array(0);
  selected = new Set();
  virtual = new VirtualizerController(this, {
    getScrollElement: () => this.renderRoot.querySelector('.scroller'),
    count: 0,
    estimateSize: () => ROW,
    overscan: 3,
  });

  createRenderRoot() {
    return this;
  }

  show(shown) {
    this.shown = shown;
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({ ...virtualizer.options, count: (shown ?? this.items).length });
    this.requestUpdate();
  }

  isOn(at) {
    return this.on[at] === 0 ? this.items[at].available : this.on[at] === 2;
  }

  flip(at) {
    this.on[at] = this.isOn(at) ? 1 : 2;
    this.requestUpdate();
  }

  render() {
    const virtualizer = this.virtual.getVirtualizer();
    return html`<div class="scroller" style="height:${HEIGHT}px;overflow:auto">
      <div style="position:relative;height:${virtualizer.getTotalSize()}px">
        ${virtualizer.getVirtualItems().map(({ index, start }) => {
          const at = this.shown === undefined ? index : this.shown[index];
          const item = this.items[at];
          return html`<div
            class="row"
            style="position:absolute;inset-inline:0;top:0;height:${ROW}px;transform:translateY(${start}px);display:grid;grid-template-columns:40px 1fr 1fr 180px 1fr"
          >
            <input type="checkbox" .checked=${this.selected.has(at)} />
            <span><b>${item.label}</b><small>${item.id}</small></span>
            <span>${item.group}</span>
            <button role="switch" aria-checked=${this.isOn(at) ? 'true' : 'false'} @click=${() => this.flip(at)}>
              <span>${this.isOn(at) ? 'Available' : 'Not available'}</span>
            </button>
            <span></span>
          </div>`;
        })}
      </div>
    </div>`;
  }
}
customElements.define('tanstack-list', TanstackList);

const element = document.createElement('tanstack-list');
const rows = () => [...element.querySelectorAll('.row')];

globalThis.list = {
  open(parent, items) {
    element.items = items;
    element.on = new Uint8Array(items.length);
    parent.append(element);
    element.show(undefined);
  },
  isReady: () => true,
  first: () => rows()[0]?.querySelector('b').textContent,
  isOn: (at) => rows()[at]?.querySelector('button').getAttribute('aria-checked') === 'true',
  toggle: (at) => rows()[at].querySelector('button').click(),
  search(text) {
    const shown = [];
    element.items.forEach(({ label, id }, at) => {
      if (label.toLowerCase().includes(text) || id.toLowerCase().includes(text)) shown.push(at);
    });
    element.show(shown);
  },
  isFound: () => true,
  selectAll() {
    element.selected = new Set(element.items.map((_, at) => at));
    element.requestUpdate();
  },
  isSelected: (at) => rows()[at].querySelector('input').checked,
  setAll(value) {
    for (const at of element.selected) element.on[at] = value ? 2 : 1;
    element.requestUpdate();
  },
  scrollTo: (px) => (element.querySelector('.scroller').scrollTop = px),
  isFilled() {
    const { scrollTop } = element.querySelector('.scroller');
    const drawn = element.virtual.getVirtualizer().getVirtualItems();
    return drawn[0].start <= scrollTop && drawn.at(-1).end >= scrollTop + HEIGHT;
  },
  jump(share) {
    element.querySelector('.scroller').scrollTop = share * (element.shown ?? element.items).length * ROW;
  },
  hasJumped: () => element.querySelector('.scroller').scrollTop === 0 || list.first() !== element.items[0].label,
};
