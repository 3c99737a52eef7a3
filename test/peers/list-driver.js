/** Does the same to each list, and measures from the act to the picture that shows it. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
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
  return end - start;
}

const quiet = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function nodesIn(root) {
  let count = 0;
  for (const element of root.querySelectorAll('*')) count += 1 + (element.shadowRoot ? nodesIn(element.shadowRoot) : 0);
  return count;
}

globalThis.live = async (size) => {
  const { list } = globalThis;
  const items = Array.from({ length: size }, (_, at) => ({
    id: `item-${at}`,
    label: `${['Kayak tour', 'Evening sailing', 'Garden room', 'Pottery course', 'Attic room'][at % 5]} ${at}`,
    group: ['Boats', 'Rooms', 'Workshop'][at % 3],
    available: at % 3 > 0,
  }));
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
  const bulk = await timed(
    () => list.setAll(false),
    () => !list.isOn(1) && !list.isOn(2),
  );
  await quiet(100);
  const jump = await timed(
    () => list.jump(0.5),
    () => list.hasJumped(),
  );
  return { rows, toggle, firstKey, nextKey, bulk, jump, nodes };
};
