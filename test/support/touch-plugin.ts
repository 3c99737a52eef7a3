import type { TestRunnerPlugin } from '@web/test-runner';

/** The interface for touches of a page, in all launchers. */
interface TouchPage {
  readonly touchscreen: {
    touchStart(x: number, y: number): Promise<unknown>;
    touchMove(x: number, y: number): Promise<unknown>;
    touchEnd(): Promise<unknown>;
  };
}

interface Swipe {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

const STEPS = 6;

/** Adds the command `swipe`: a finger touches the screen, moves in a straight line and leaves. */
export function touchPlugin(): TestRunnerPlugin<Swipe> {
  return {
    name: 'touch',
    async executeCommand({ command, payload, session }) {
      if (command !== 'swipe' || payload === undefined) return undefined;
      const { touchscreen } = (session.browser as unknown as { getPage(id: string): TouchPage }).getPage(session.id);
      const { from, to } = payload;
      const at = (step: number): [number, number] => [
        from[0] + ((to[0] - from[0]) * step) / STEPS,
        from[1] + ((to[1] - from[1]) * step) / STEPS,
      ];
      await touchscreen.touchStart(...from);
      for (let step = 1; step <= STEPS; step += 1) await touchscreen.touchMove(...at(step));
      await touchscreen.touchEnd();
      return true;
    },
  };
}
