import { StorageFailed } from '../outbox.js';
import { CannotListen } from './listen.js';
import { startProxy } from './proxy-command.js';
import { startSandbox } from './sandbox-command.js';
import { EXIT_CONFIG, SettingsRefused, type Environment } from './settings.js';

const USAGE = `Usage: vendor-inventory COMMAND

  proxy     the proxy, configured by the environment
  sandbox   a sandbox portal to try the proxy with

The settings are listed in README.md.
`;

const COMMANDS: Readonly<Record<string, (environment: Environment) => Promise<() => Promise<void>>>> = {
  proxy: startProxy,
  sandbox: startSandbox,
};

const STOP_LIMIT_MS = 20_000;

/** Runs one command until a signal stops it; every expected failure is one clear line. */
export async function run(words: readonly string[], environment: Environment): Promise<void> {
  const [word, ...rest] = words;
  const command = word !== undefined && Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command === undefined || rest.length > 0) {
    const asked = word === '--help' || word === '-h' || word === 'help';
    (asked ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = asked ? 0 : 64;
    return;
  }
  try {
    const started = command(environment);
    stopOnSignal(started);
    await started;
  } catch (error) {
    process.exitCode = explain(error);
  }
}

/** Listens from the first moment: whoever reads "listens" in the log may send a signal at once. */
function stopOnSignal(started: Promise<() => Promise<void>>): void {
  let stopping = false;
  const onSignal = (): void => {
    // A second signal means "now": what is in flight is recovered at the next start.
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    started
      .then((stop) => stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.exit(explain(error));
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function explain(error: unknown): number {
  if (error instanceof SettingsRefused) {
    for (const fault of error.faults) process.stderr.write(`${fault}\n`);
    return EXIT_CONFIG;
  }
  if (error instanceof CannotListen || error instanceof StorageFailed) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  throw error;
}
