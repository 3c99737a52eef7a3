import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { VERSION } from '../../../contract/version.js';
import type { EditsRequest } from './edits-command.js';
import { EXIT_CONFIG, InvalidSettings, type Environment } from '../config/env-reader.js';

/** Where a command prints: the streams of its process, or what a test collects. */
export interface Output {
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  printError(text: string): void;
  /** Aborts when standard output accepts no more: its reader has gone, as after `head`, or the disk is full. */
  readonly closed: AbortSignal;
}

const USAGE = `Usage: vendor-inventory COMMAND

  proxy     the proxy, configured by the environment
            --accept-log-damage goes on without accepted changes in a damaged log of the database
  check     judges the configuration, and gets a token; --verbose lists every assumption about the portal
            --send ID proves an update (available, or --unavailable), of --vendor NAME
            --learn FILE --send ID finds a profile that delivers, and writes it; --put lets it try PUT
            --token FILE judges an embed token, --session-url URL asks the host for one
  edits     what waits: list [--json], retry ID..., discard ID...
            --vendor NAME where two vendors have an edit of the same id
  items     release --vendor NAME ID...: ends the claim of a vendor on ids that it was the first to use
  sandbox   a sandbox portal to try the proxy with
  secret    makes a secret for SESSION_SECRET_FILE

--help prints this, and with proxy or check the settings, too; --version prints the version.
`;

interface StartOptions {
  readonly environment: Environment;
  readonly output: Output;
  /** Aborted by a signal that arrives before the command has started. */
  readonly signal: AbortSignal;
  readonly acceptLogDamage: boolean;
}

/** Starts a command that runs until a signal stops it. @returns a function that stops it */
type Start = (options: StartOptions) => Promise<() => Promise<void>>;

/** Each command is imported when it is used, because importing all of them takes longer than most of them run. */
const SERVERS: Readonly<Record<string, Start>> = {
  proxy: async ({ environment, signal, acceptLogDamage }) =>
    (await import('./proxy-command.js')).startProxy(environment, signal, { acceptLogDamage }),
  sandbox: async ({ environment, output }) =>
    (await import('./sandbox-command.js')).startSandbox(environment, output.print),
};

type RunToEnd = (args: readonly string[], environment: Environment, output: Output) => Promise<boolean>;

/** Commands that end by themselves. Each resolves to whether everything that was requested succeeded. */
const TASKS: Readonly<Record<string, RunToEnd>> = { check: runCheck, edits: runEdits, items: runItems };

/** Names of the errors that are printed as one line; their classes are loaded with the commands. */
const EXPECTED_ERRORS: readonly string[] = [
  'CannotListen',
  'PortTaken',
  'StorageFailed',
  'ProxyUnreachable',
  'OperatorRequestFailed',
];

/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;
const STOP_LIMIT_MS = 20_000;
/** As long as the hash of HS256 (RFC 7518 section 3.2). */
const SECRET_BYTES = 32;

/**
 * Runs one command. Every expected failure is printed as one line.
 *
 * @returns the exit code; 0 also for a server that has started, which then runs until a signal stops it
 */
export async function run(args: readonly string[], environment: Environment, output: Output): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'help' || optionsIn(args).some((option) => option === '--help' || option === '-h')) {
    output.print(USAGE);
    if (name === 'proxy' || name === 'check') output.print(await describeSettings());
    return 0;
  }
  if (name === '--version' && rest.length === 0) {
    output.print(`${VERSION}\n`);
    return 0;
  }
  if (name === 'secret' && rest.length === 0) {
    output.print(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    return 0;
  }
  const task = commandOf(TASKS, name);
  const server = commandOf(SERVERS, name);
  const acceptLogDamage = name === 'proxy' && rest.length === 1 && rest[0] === '--accept-log-damage';
  try {
    if (task !== undefined) return (await task(rest, environment, output)) ? 0 : 1;
    if (server !== undefined && (rest.length === 0 || acceptLogDamage)) {
      const stopping = new AbortController();
      const started = server({ environment, output, signal: stopping.signal, acceptLogDamage });
      stopOnSignal(started, stopping, output);
      await started;
      return 0;
    }
  } catch (error) {
    return explain(error, output);
  }
  output.printError(USAGE);
  return EXIT_USAGE;
}

function commandOf<T>(commands: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
}

async function describeSettings(): Promise<string> {
  const { settingsHelp } = await import('../config/settings.js');
  return `\nSettings are environment variables. The brackets hold the default.\n\n${settingsHelp()}`;
}

/** What follows `--` is a name, even if it looks like an option: an edit may be called `-h`. */
function optionsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

async function runCheck(args: readonly string[], environment: Environment, output: Output): Promise<boolean> {
  const options = {
    send: { type: 'string' },
    vendor: { type: 'string' },
    unavailable: { type: 'boolean', default: false },
    learn: { type: 'string' },
    put: { type: 'boolean', default: false },
    token: { type: 'string' },
    'session-url': { type: 'string' },
    verbose: { type: 'boolean', default: false },
  } as const;
  const {
    send,
    vendor,
    unavailable,
    learn,
    put,
    token,
    verbose,
    'session-url': sessionUrl,
  } = parseArgs({ args: [...args], options }).values;
  const needsItem = unavailable || vendor !== undefined || learn !== undefined;
  if ((send === undefined && needsItem) || (learn === undefined && put)) {
    throw new InvalidArguments(
      'check takes: [--send ID [--unavailable] [--vendor NAME] [--learn FILE [--put]]] [--token FILE] [--session-url URL] [--verbose]',
    );
  }
  const { check } = await import('./check/check-command.js');
  return check(environment, {
    send,
    vendor,
    available: !unavailable,
    token,
    sessionUrl,
    learn,
    canPut: put,
    isVerbose: verbose,
    writeLine: linesTo(output),
  });
}

async function runEdits(args: readonly string[], environment: Environment, output: Output): Promise<boolean> {
  const options = { json: { type: 'boolean', default: false }, vendor: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { json, vendor } = values;
  const [verb, ...editIds] = positionals;
  const request: EditsRequest | undefined =
    verb === 'list' && editIds.length === 0 && vendor === undefined
      ? { verb, json, outputClosed: output.closed }
      : (verb === 'retry' || verb === 'discard') && editIds.length > 0 && !json
        ? { verb, editIds, vendor }
        : undefined;
  if (request === undefined) {
    throw new InvalidArguments(
      'edits takes: list [--json], [--vendor NAME] retry ID..., [--vendor NAME] discard ID...',
    );
  }
  const { edits } = await import('./edits-command.js');
  return edits(environment, request, linesTo(output));
}

async function runItems(args: readonly string[], environment: Environment, output: Output): Promise<boolean> {
  const options = { vendor: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, ...ids] = positionals;
  if (verb !== 'release' || values.vendor === undefined || ids.length === 0) {
    throw new InvalidArguments('items takes: release --vendor NAME ID...');
  }
  const { releaseItems } = await import('./items-command.js');
  return releaseItems(environment, { vendor: values.vendor, ids }, linesTo(output));
}

function linesTo(output: Output): (line: string) => void {
  return (line) => {
    output.print(`${line}\n`);
  };
}

class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
}

/** The reason of the abort when a signal arrives before the command has started. */
class StoppedAtStart extends Error {
  override readonly name = 'StoppedAtStart';
}

/** Listens for signals from the beginning, because a program that reads "listens" in the log may send one at once. */
function stopOnSignal(started: ReturnType<Start>, stopping: AbortController, output: Output): void {
  const onSignal = (): void => {
    // A second signal means "now": the next start recovers the calls that are in flight.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new StoppedAtStart());
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    started
      .then((stop) => stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.exit(explain(error, output));
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** @throws an error that no command expects: it is a bug of this program, so it is reported with its stack */
function explain(error: unknown, output: Output): number {
  if (error instanceof StoppedAtStart) return 0;
  if (error instanceof InvalidSettings) {
    for (const fault of error.faults) output.printError(`${fault}\n`);
    return EXIT_CONFIG;
  }
  if (error instanceof InvalidArguments || isParseError(error)) {
    output.printError(`${error.message}\n`);
    return EXIT_USAGE;
  }
  if (error instanceof Error && EXPECTED_ERRORS.includes(error.name)) {
    output.printError(`${error.message}\n`);
    return 1;
  }
  throw error;
}

function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
