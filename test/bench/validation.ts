import { editBatch } from '../../src/contract/widget.js';
import { isEditBatch, isPlainJson } from '../../src/proxy/edit-batch-check.js';
import { readWrittenBatch } from '../../src/proxy/read-written-batch.js';
import type { Benchmark } from './benchmark.js';
import { newBatch } from './outbox-load.js';
import { medianOfRounds } from './rounds.js';

const ROUNDS = 51;
const ITEMS = 1000;
const BATCHES = 10;

export const validation: Benchmark = {
  name: 'validation',
  title: `the check of a good batch of ${String(ITEMS)}, x JSON.parse of it`,
  async run() {
    const texts = Array.from({ length: BATCHES }, () => JSON.stringify({ inventory: newBatch(ITEMS).edits }));
    const bytes = texts.map((text) => new TextEncoder().encode(text));
    const parse = (): unknown[] => texts.map((text) => JSON.parse(text) as unknown);
    const bodies = parse();
    const check = (): boolean => texts.every((text, at) => isEditBatch(bodies[at], isPlainJson(text, text.length)));
    const read = (): boolean => bytes.every((body) => readWrittenBatch(body, ITEMS) !== undefined);
    if (!read()) throw new Error('a batch was not read as one that a page wrote');
    const times = await medianOfRounds(ROUNDS, {
      parse: () => milliseconds(parse),
      byHand: () => milliseconds(check),
      inBytes: () => milliseconds(read),
      schema: () => milliseconds(() => bodies.every((body) => editBatch.safeParse(body).success)),
    });
    const figure = (time: number): string => `${((time * 1000) / BATCHES).toFixed(0)} us`;
    return [
      {
        what: 'by hand',
        ratio: times.byHand / times.parse,
        target: { atMost: 0.25 },
        figures: `${figure(times.byHand)}, JSON.parse ${figure(times.parse)}`,
      },
      {
        what: 'read and checked in the bytes of a page, in place of both',
        ratio: times.inBytes / times.parse,
        target: { atMost: 1.25 },
        figures: figure(times.inBytes),
      },
      { what: 'by the schema', ratio: times.schema / times.parse, target: undefined, figures: figure(times.schema) },
    ];
  },
};

function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  work();
  return Promise.resolve(performance.now() - start);
}
