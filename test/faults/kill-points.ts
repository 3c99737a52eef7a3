import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { inventoryUpdate } from '../../src/contract/portal.js';
import { agePrunable } from './old-rows.js';
import type { PortalCall, PortalOfRecord } from './portal-of-record.js';
import type { ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';
import type { Evidence } from './evidence.js';

/** A proxy that is stopped, and the environment of its next run. */
export interface Stage {
  readonly proxy: ProxyProcess;
  readonly portal: PortalOfRecord;
  readonly random: Random;
  readonly evidence: Evidence;
}

/** A point at which the proxy is killed. */
export interface KillPoint {
  readonly name: string;
  /** Sets the trap for the next run. @returns arguments for Node, and how often the trap was triggered */
  arm(stage: Stage): Promise<Trap> | Trap;
  /** Whether the proxy gets SIGTERM first. */
  readonly stops?: true;
}

export interface Trap {
  readonly node: readonly string[];
  sprung(): number;
}

/** The item that the portal refuses at that point. */
export const POISON = 'boat-0';
const TOKEN_PATH = '/v1/oauth/token';

/** The points in the order in which an edit passes them. */
export const KILL_POINTS: readonly KillPoint[] = [
  inside('before insert', 8),
  inside('before commit', 4),
  inside('after commit before the answer', 4),
  inside('half an answer', 8),
  inside('after lease', 3),
  inside('after the attempt row', 6),
  inside('half the upstream body', 6),
  atPortal('before its headers', beforeHeaders),
  atPortal('half its body', halfAnAnswer),
  inside('after 2xx before settling', 10),
  inside('in checkpoint', 3),
  inside('in migration', 4),
  atPortal('in token renewal', inRenewal),
  atPortal('between the halves of a split', betweenHalves),
  { ...inside('in graceful stop', 2), stops: true },
  inside('in pruning', 3, agePrunable),
];

/** The process kills itself, at one of the first times that it reaches the point. */
function inside(name: string, times: number, prepare?: (stage: Stage) => Promise<void>): KillPoint {
  return {
    name,
    async arm(stage) {
      await prepare?.(stage);
      const file = stage.evidence.path('kills');
      const url = pathToFileURL(resolve('test/faults/kill-inside.ts'));
      url.search = new URLSearchParams({ point: name, nth: String(1 + stage.random.below(times)), file }).toString();
      const before = linesOf(file);
      return { node: ['--import', url.href], sprung: () => linesOf(file) - before };
    },
  };
}

/** @returns how often the trap was triggered. Each time adds a line, and a line `missed` revokes the one before it. */
function linesOf(file: string): number {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
  return lines.length - 2 * lines.filter((line) => line === 'missed').length;
}

type Strike = () => void;

function atPortal(name: string, misbehave: (strike: Strike, stage: Stage) => (call: PortalCall) => Promise<void>) {
  return {
    name,
    arm(stage: Stage): Trap {
      let strikes = 0;
      const strike = (): void => {
        stage.portal.misbehaviour = undefined;
        strikes += 1;
        stage.proxy.signal('SIGKILL');
      };
      stage.portal.misbehaviour = misbehave(strike, stage);
      return { node: [], sprung: () => strikes };
    },
  };
}

/** The portal has received the whole update, may have applied it, and has sent no response. */
function beforeHeaders(strike: Strike, { random }: Stage): (call: PortalCall) => Promise<void> {
  let left = random.below(4);
  return async (call) => {
    if (call.path === TOKEN_PATH || left-- > 0) return call.serve();
    if (random.below(2) === 0) await call.answer();
    else await call.body();
    strike();
  };
}

function halfAnAnswer(strike: Strike, { random }: Stage): (call: PortalCall) => Promise<void> {
  let left = random.below(4);
  return async (call) => {
    if (call.path === TOKEN_PATH || left-- > 0) return call.serve();
    await serveHalf(call);
    strike();
  };
}

/** The first token of a run is no renewal; the second is requested while the first is still valid. */
function inRenewal(strike: Strike, { random }: Stage): (call: PortalCall) => Promise<void> {
  let asked = 0;
  return async (call) => {
    if (call.path !== TOKEN_PATH || asked++ === 0) return call.serve();
    if (random.below(2) === 0) await serveHalf(call);
    else await call.body();
    strike();
  };
}

/** A batch with the bad item is refused; then its first half is sent, and then the second. */
function betweenHalves(strike: Strike, { random }: Stage): (call: PortalCall) => Promise<void> {
  let refused: ReadonlySet<string> = new Set();
  let left = random.below(2);
  const isServed = random.below(2) === 0;
  return async (call) => {
    if (call.path === TOKEN_PATH) return call.serve();
    const ids = inventoryUpdate.parse(JSON.parse((await call.body()).toString())).inventory.map(({ id }) => id);
    const isHalf = ids.length < refused.size && ids.every((id) => refused.has(id));
    const strikes = isHalf && left-- === 0;
    if (strikes && !isServed) {
      strike();
      return;
    }
    if (ids.some((id) => id === POISON)) {
      if (ids.length > 1) refused = new Set(ids);
      call.response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"bad_item"}');
    } else {
      await call.serve();
    }
    if (strikes) strike();
  };
}

/** The head and half of the body have been passed to the operating system. */
async function serveHalf(call: PortalCall): Promise<void> {
  const { status, headers, body } = await call.answer();
  call.response.writeHead(status, { ...Object.fromEntries(headers), 'Content-Length': body.length });
  await new Promise<void>((sent) => call.response.write(body.subarray(0, body.length / 2), () => sent()));
}
