/** The floor: plain DOM, recycled rows of one height, the array that it is given, a byte for each item, and nothing else. */
const ROW = 60;
const HEIGHT = 720;
const SPARE = 3;

let items = [];
/** Places of items; `undefined`: all of them. Nothing is done for each item before somebody asks for it. */
let shown;
/** 0: as the array says, 1: not available, 2: available. */
let on = new Uint8Array(0);
let selected = new Set();
let scroller;
let sheet;
const pool = [];

const length = () => (shown ?? items).length;
const isOn = (at) => (on[at] === 0 ? items[at].available : on[at] === 2);

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
    on[row.item] = isOn(row.item) ? 1 : 2;
    draw();
  };
  return Object.assign(row, { check: parts[0], label, id2: id, group: parts[2], button: parts[3], text });
}

function draw() {
  const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
  const end = Math.min(length(), Math.ceil((scroller.scrollTop + HEIGHT) / ROW) + SPARE);
  sheet.style.height = `${length() * ROW}px`;
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
    const at = shown === undefined ? place : shown[place];
    row.item = at;
    row.style.top = `${place * ROW}px`;
    const item = items[at];
    if (row.label.textContent !== item.label) row.label.textContent = item.label;
    if (row.id2.textContent !== item.id) row.id2.textContent = item.id;
    if (row.group.textContent !== item.group) row.group.textContent = item.group;
    const value = isOn(at) ? 'Available' : 'Not available';
    if (row.text.textContent !== value) row.text.textContent = value;
    row.button.setAttribute('aria-checked', isOn(at) ? 'true' : 'false');
    row.check.checked = selected.has(at);
  }
}

function top() {
  return pool.filter((row) => !row.hidden).sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top));
}

globalThis.list = {
  open(parent, given) {
    items = given;
    on = new Uint8Array(items.length);
    shown = undefined;
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
  isOn,
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
    for (const at of selected) on[at] = value ? 2 : 1;
    draw();
  },
  scrollTo: (px) => (scroller.scrollTop = px),
  isFilled() {
    const drawn = top();
    const end = parseFloat(drawn.at(-1).style.top) + ROW;
    return parseFloat(drawn[0].style.top) <= scroller.scrollTop && end >= scroller.scrollTop + HEIGHT;
  },
  jump(share) {
    scroller.scrollTop = share * length() * ROW;
  },
  hasJumped: () => scroller.scrollTop === 0 || top()[0]?.label.textContent !== items[0].label,
};
