import { parseArgs } from 'node:util';
import { describeFinding, isMissed, type Finding } from './benchmark.js';
import { deliveryPace } from './delivery-pace.js';
import { groupCommit } from './group-commit.js';
import { list } from './list.js';
import { longTasks } from './long-tasks.js';
import { memory } from './memory.js';
import { postInventory } from './post-inventory.js';
import { reads } from './reads.js';
import { scale } from './scale.js';
import { switches } from './switches.js';

const BENCHMARKS = [postInventory, groupCommit, deliveryPace, scale, reads, memory, switches, longTasks, list];

const HELP = `npm run bench                     all benchmarks of the built proxy
npm run bench -- --only NAME      some of them

Each figure is a ratio of medians from one interleaved run. Benchmarks:
${BENCHMARKS.map(({ name, title }) => `  ${name.padEnd(14)}${title}`).join('\n')}
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const { values: options } = parseArgs({
    args,
    options: { only: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean', default: false } },
  });
  const unknown = options.only.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (options.help || unknown.length > 0) {
    const reason = unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n\n` : '';
    process.stdout.write(reason + HELP);
    return options.help ? 0 : 2;
  }
  const findings: Finding[] = [];
  for (const benchmark of BENCHMARKS.filter(({ name }) => options.only.length === 0 || options.only.includes(name))) {
    process.stdout.write(`\n== ${benchmark.name}: ${benchmark.title}\n`);
    const found = await benchmark.run();
    for (const finding of found) process.stdout.write(`${describeFinding(finding)}\n`);
    findings.push(...found);
  }
  const missed = findings.filter(isMissed).length;
  const targets = findings.filter(({ target }) => target !== undefined).length;
  process.stdout.write(`\n${String(targets - missed)} of ${String(targets)} targets hold\n`);
  return missed > 0 ? 1 : 0;
}
