// Does the same to each list, and measures from the act to the picture that shows it.

/** The time of a frame, and of when its picture stands. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame((frame) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve({ frame, now: performance.now() });
      port2.postMessage(undefined);
    });
  });
}

async function until(condition) {
  while (!condition()) await painted();
}

async function timed(act, isDone) {
  const start = performance.now();
  // Asked for before the act: what a list does when its picture stands is not waited for.
  const picture = painted();
  act();
  let end = await picture;
  while (!isDone()) end = await painted();
  return end.now - start;
}

const FRAME_MS = 1000 / 60;

const quiet = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function nodesIn(root) {
  let count = 0;
  for (const element of root.querySelectorAll('*')) count += 1 + (element.shadowRoot ? nodesIn(element.shadowRoot) : 0);
  return count;
}

let items = [];

globalThis.makeItems = (size) => {
  items = Array.from({ length: size }, (_, at) => ({
    id: `item-${at}`,
    label: `${['Kayak tour', 'Evening sailing', 'Garden room', 'Pottery course', 'Attic room'][at % 5]} ${at}`,
    group: ['Boats', 'Rooms', 'Workshop'][at % 3],
    available: at % 3 > 0,
  }));
};

/** All is read, and nothing moves any more. */
globalThis.openList = async () => {
  list.open(document.body, items);
  await until(() => list.isReady());
  await quiet(1000);
};

/** Scrolls for ten seconds, and looks at each picture once it stands. */
globalThis.ride = async (size) => {
  makeItems(size);
  await openList();
  let longest = 0;
  const observer = new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) longest = Math.max(longest, duration);
  });
  observer.observe({ type: 'longtask' });
  let frames = 0;
  let dropped = 0;
  let blank = 0;
  const start = (await painted()).frame;
  for (let now = start; now < start + 10_000;) {
    list.scrollTo((now - start) * 1.8);
    const { frame } = await painted();
    if (!list.isFilled()) blank += 1;
    frames += 1;
    dropped += Math.max(0, Math.round((frame - now) / FRAME_MS) - 1);
    now = frame;
  }
  await quiet(100);
  observer.disconnect();
  return { dropped: (100 * dropped) / (frames + dropped), longest, blank };
};

globalThis.live = async (size) => {
  makeItems(size);
  const rows = await timed(
    () => list.open(document.body, items),
    () => list.first() === 'Kayak tour 0',
  );
  await until(() => list.isReady());
  await quiet(300);
  const nodes = nodesIn(document.body);
  const toggles = [];
  for (const at of [1, 2, 4, 5, 1, 2, 4]) {
    const before = list.isOn(at);
    toggles.push(
      await timed(
        () => list.toggle(at),
        () => list.isOn(at) !== before,
      ),
    );
    await quiet(250);
  }
  const toggle = toggles.sort((a, b) => a - b)[3];
  list.focusSearch?.();
  await quiet(200);
  const firstKey = await timed(
    () => list.search('g'),
    () => list.isFound() && list.first() === 'Evening sailing 1',
  );
  await quiet(100);
  const nextKey = await timed(
    () => list.search('ga'),
    () => list.isFound() && list.first() === 'Garden room 2',
  );
  await quiet(100);
  await timed(
    () => list.search(''),
    () => list.isFound() && list.first() === 'Kayak tour 0',
  );
  await quiet(100);
  await list.warmUp?.();
  const select = await timed(
    () => list.selectAll(),
    () => list.isSelected(1),
  );
  await quiet(250);
  let preview = 0;
  if (list.openPreview) {
    preview = await timed(
      () => list.openPreview(false),
      () => list.isPreviewed(),
    );
    await quiet(250);
  }
  const set = await timed(
    () => list.setAll(false),
    () => !list.isOn(1) && !list.isOn(2),
  );
  await quiet(100);
  const jump = await timed(
    () => list.jump(0.5),
    () => list.hasJumped(),
  );
  return { rows, toggle, firstKey, nextKey, bulk: select + set, preview, jump, nodes };
};
