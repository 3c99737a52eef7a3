interface Drawable {
  draw(): void;
}

const waiting = new Set<Drawable>();

/** Draws it in a microtask, with all others that wait. */
export function drawSoon(element: Drawable): void {
  if (waiting.size === 0) queueMicrotask(drawAll);
  waiting.add(element);
}

function drawAll(): void {
  const elements = [...waiting];
  waiting.clear();
  for (const each of elements) {
    try {
      each.draw();
    } catch (error) {
      // Its page has to mend it, and has others that can be drawn.
      reportError(error);
    }
  }
}
