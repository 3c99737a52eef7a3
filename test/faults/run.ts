import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportOf, runScenario, SCENARIOS } from './campaign.js';

const HELP = `npm run faults                                  the whole campaign
npm run faults -- --quick                       the part of it that npm test runs
npm run faults -- --only F1 --only F6           some of it
npm run faults -- --only F1 --runs 50           with so many faults
npm run faults -- --only F1 --seed 42           with the choices of an earlier run

${SCENARIOS.map(({ name, title, runs }) => `  ${name.padEnd(5)}${title} (${String(runs.full)})`).join('\n')}
`;

process.chdir(join(import.meta.dirname, '../..'));
const code = await main(process.argv.slice(2));
// Exits at once, because the PostgreSQL helper makes an idle process exit with 0, whatever its `exitCode`.
process.exit(code);

async function main(args: string[]): Promise<number> {
  const { values: options } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      runs: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = options.only.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (options.help || unknown.length > 0) {
    process.stdout.write(HELP);
    return unknown.length > 0 ? 2 : 0;
  }

  let failures = 0;
  for (const scenario of SCENARIOS.filter(({ name }) => options.only.length === 0 || options.only.includes(name))) {
    const seed = options.seed === undefined ? Math.trunc(Math.random() * 2 ** 32) : Number(options.seed);
    const runs = options.runs === undefined ? scenario.runs[options.quick ? 'quick' : 'full'] : Number(options.runs);
    process.stdout.write(`\n== ${scenario.name}: ${scenario.title} (${String(runs)}, seed ${String(seed)})\n`);
    const start = performance.now();
    const findings = await runScenario(scenario, {
      runs,
      seed,
      isQuick: options.quick,
      say: (line) => process.stdout.write(`   ${line}\n`),
    });
    for (const sentence of findings.broken.slice(0, 20)) process.stdout.write(`   BROKEN ${sentence}\n`);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stdout.write(`   ${reportOf(findings)} (${seconds} s)\n`);
    if (findings.broken.length > 0) failures += 1;
  }
  process.stdout.write(`\n${failures === 0 ? 'Nothing was lost.' : `${String(failures)} rows are broken.`}\n`);
  return failures === 0 ? 0 : 1;
}
