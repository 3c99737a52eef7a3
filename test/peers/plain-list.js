/** The floor: plain DOM, recycled rows of one height, an array of booleans, and nothing else. */
const ROW = 60;
const HEIGHT = 720;
const SPARE = 3;

let items = [];
let shown = [];
let on = new Uint8Array(0);
let selected = new Set();
let scroller;
let sheet;
const pool = [];

function makeRow() {
  const row = document.createElement('div');
  row.style.cssText = `position:absolute;inset-inline:0;height:${ROW}px;display:grid;grid-template-columns:40px 1fr 1fr 180px 1fr;contain:strict`;
  const parts = ['input', 'span', 'span', 'button', 'span'].map((tag) => document.createElement(tag));
  parts[0].type = 'checkbox';
  const label = document.createElement('b');
  const id = document.createElement('small');
  const text = document.createElement('span');
  parts[1].append(label, id);
  parts[3].append(text);
  parts[3].setAttribute('role', 'switch');
  row.append(...parts);
  parts[3].onclick = () => {
    on[row.item] = on[row.item] ? 0 : 1;
    draw();
  };
  return Object.assign(row, { check: parts[0], label, id2: id, group: parts[2], button: parts[3], text });
}

function draw() {
  const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
  const end = Math.min(shown.length, Math.ceil((scroller.scrollTop + HEIGHT) / ROW) + SPARE);
  sheet.style.height = `${shown.length * ROW}px`;
  const used = end - first;
  while (pool.length < used) {
    pool.push(makeRow());
    sheet.append(pool.at(-1));
  }
  for (let slot = 0; slot < pool.length; slot += 1) {
    const place = first + ((slot - (first % pool.length) + pool.length) % pool.length);
    const row = pool[slot];
    row.hidden = place >= end;
    if (place >= end) continue;
    const at = shown[place];
    row.item = at;
    row.style.top = `${place * ROW}px`;
    const item = items[at];
    if (row.label.textContent !== item.label) row.label.textContent = item.label;
    if (row.id2.textContent !== item.id) row.id2.textContent = item.id;
    if (row.group.textContent !== item.group) row.group.textContent = item.group;
    const value = on[at] ? 'Available' : 'Not available';
    if (row.text.textContent !== value) row.text.textContent = value;
    row.button.setAttribute('aria-checked', on[at] ? 'true' : 'false');
    row.check.checked = selected.has(at);
  }
}

function top() {
  return pool.filter((row) => !row.hidden).sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top));
}

globalThis.list = {
  open(parent, given) {
    items = given;
    on = Uint8Array.from(items, ({ available }) => (available ? 1 : 0));
    shown = items.map((_, at) => at);
    scroller = document.createElement('div');
    scroller.style.cssText = `height:${HEIGHT}px;overflow:auto`;
    sheet = document.createElement('div');
    sheet.style.position = 'relative';
    scroller.append(sheet);
    scroller.onscroll = draw;
    parent.append(scroller);
    draw();
  },
  isReady: () => true,
  first: () => top()[0]?.label.textContent,
  isOn: (at) => on[at] === 1,
  toggle: (at) => top()[at].button.click(),
  search(text) {
    shown = [];
    items.forEach(({ label, id }, at) => {
      if (label.toLowerCase().includes(text) || id.toLowerCase().includes(text)) shown.push(at);
    });
    draw();
  },
  isFound: () => true,
  selectAll() {
    selected = new Set(items.map((_, at) => at));
    draw();
  },
  isSelected: (at) => top()[at].check.checked,
  setAll(value) {
    for (const at of selected) on[at] = value ? 1 : 0;
    draw();
  },
  scrollTo: (px) => (scroller.scrollTop = px),
  isFilled() {
    const drawn = top();
    const end = parseFloat(drawn.at(-1).style.top) + ROW;
    return parseFloat(drawn[0].style.top) <= scroller.scrollTop && end >= scroller.scrollTop + HEIGHT;
  },
  jump(share) {
    scroller.scrollTop = share * shown.length * ROW;
  },
  hasJumped: () => scroller.scrollTop === 0 || top()[0]?.label.textContent !== items[0].label,
};
