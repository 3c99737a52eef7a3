import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { answersInTrace, type AcknowledgedEdit } from './answers-in-trace.js';
import { FATES, SimulatedDisk, type DiskEvent } from './disk.js';
import { diskEvents } from './disk-events.js';
import { openAfterCut } from './open-after-cut.js';
import {
  KILLED_AFTER_FAILED_SYNCS,
  KILLED_IN_A_SYNC,
  recordLives,
  type Life,
  type Recording,
} from './recorded-lives.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { straceIsMissing } from './strace.js';

/**
 * The first creation, a log that is checkpointed and restarted while the proxy runs, starts after crashes, and clean
 * stops.
 */
const LIVES: readonly Life[] = [
  { answers: 30, end: 'stop' },
  { answers: 250, end: 'crash' },
  KILLED_IN_A_SYNC,
  { answers: 30, end: 'stop' },
  KILLED_AFTER_FAILED_SYNCS,
  { answers: 30, end: 'crash' },
  { answers: 30, end: 'stop' },
];
const CONTROL_LIVES: readonly Life[] = [{ answers: 75, end: 'crash' }];

type Place = (event: DiskEvent, database: string) => boolean;

const inTheLog: Place = ({ kind, name }, database) => kind === 'write' && name === `${database}-wal`;

/** Most calls write to the log, so half of the cuts are at other calls, which are rare but critical. */
const PLACES: readonly Place[] = [
  ...[inTheLog, inTheLog, inTheLog],
  ({ kind, name }, database) => kind === 'write' && name === database,
  ({ kind }) => kind === 'sync' || kind === 'sync folder',
  ({ kind }) => kind !== 'write' && kind !== 'sync',
];

export const powerCut: Scenario = {
  name: 'F5',
  title: 'simulated power cut at any call, with any part of the unsynced data',
  runs: { full: 3000, quick: 0 },
  async run(trial: Trial): Promise<Findings> {
    const missing = straceIsMissing();
    if (missing !== undefined) return { counts: { cuts: 0 }, broken: [missing] };
    const honest = await recordLives(trial, { name: 'proxy', lives: LIVES });
    const control = await recordLives(trial, {
      name: 'control',
      lives: CONTROL_LIVES,
      node: ['--import', './test/faults/without-sync.ts'],
    });

    const controlCuts = Math.ceil(trial.runs / 10);
    const cuts = await cutPower(honest, trial.runs, PLACES, trial);
    const unsynced = await cutPower(control, controlCuts, [inTheLog], trial);
    return {
      counts: {
        ...cuts.counts,
        'cuts of the control': controlCuts,
        'of them with a loss': unsynced.lossy,
      },
      broken: [
        ...honest.findings.broken,
        ...cuts.broken,
        ...(unsynced.lossy < controlCuts / 2 ? ['a proxy that does not sync was not told from one that does'] : []),
      ],
    };
  },
};

interface Cuts extends Findings {
  readonly lossy: number;
}

async function cutPower(
  { calls, database }: Recording,
  many: number,
  places: readonly Place[],
  trial: Trial,
): Promise<Cuts> {
  const { random, evidence, say } = trial;
  const events = diskEvents(calls, { path: database, names: new Set() });
  const answers = answersInTrace(calls);
  const moments = Array.from({ length: many }, () => momentIn(events, places, basename(database), random)).sort(
    (a, b) => a - b,
  );
  const folder = evidence.path('image');
  const disk = new SimulatedDisk();
  const broken: string[] = [];
  const counts = { cuts: 0, 'in the first creation': 0, 'in a checkpoint': 0, 'with a torn write': 0, 'not opened': 0 };
  let [lossy, acknowledged, applied] = [0, 0, 0];
  let known: AcknowledgedEdit[] = [];
  for (const moment of moments) {
    for (; applied <= moment; applied += 1) disk.apply(events[applied]!);
    // Every response before the next disk event may have been sent.
    const until = events[applied]?.position ?? Infinity;
    known = answers.filter(({ position }) => position < until).flatMap(({ edits }) => edits);
    const fate = random.pick(FATES);
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of disk.cut(fate, random)) writeFileSync(join(folder, name), content);

    const { refusal, lost } = await openAfterCut(join(folder, basename(database)), known);

    rmSync(folder, { recursive: true });
    const event = events[moment]!;
    const where = `cut after ${event.kind} ${event.name} (line ${String(event.position)}), ${fate} of the rest`;
    if (refusal !== undefined) broken.push(`${where}: ${refusal}`);
    if (lost.length > 0) {
      const some = `${String(lost.length)} of ${String(known.length)} acknowledged edits`;
      broken.push(`${where}: ${some} are lost or not in their place, as ${lost.slice(0, 2).join(' and ')}`);
    }
    counts.cuts += 1;
    counts['not opened'] += refusal === undefined ? 0 : 1;
    counts['in the first creation'] += known.length === 0 ? 1 : 0;
    counts['in a checkpoint'] += disk.pendingIn(basename(database)) > 0 ? 1 : 0;
    counts['with a torn write'] += fate === 'some sectors' || fate === 'some pages' ? 1 : 0;
    lossy += refusal !== undefined || lost.length > 0 ? 1 : 0;
    acknowledged += known.length;
    if (counts.cuts % 500 === 0) say(`${String(counts.cuts)} cuts`);
  }
  return {
    lossy,
    broken,
    counts: { ...counts, 'acknowledged edits looked for': acknowledged, 'cuts with a loss': lossy },
  };
}

function momentIn(events: readonly DiskEvent[], places: readonly Place[], database: string, random: Random): number {
  const place = random.pick(places);
  const found = events.flatMap((event, at) => (place(event, database) ? [at] : []));
  return found.length === 0 ? random.below(events.length) : random.pick(found);
}
