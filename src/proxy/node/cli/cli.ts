import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { VERSION } from '../../../contract/version.js';
import type { EditsRequest } from './edits-command.js';
import { EXIT_CONFIG, InvalidSettings, type Environment } from '../config/env-reader.js';

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

type Start = (
  environment: Environment,
  signal: AbortSignal,
  options: { readonly acceptLogDamage: boolean },
) => Promise<() => Promise<void>>;

/** Each is loaded where it is asked for: to load all of them takes longer than most of them do. */
const COMMANDS: Readonly<Record<string, Start>> = {
  proxy: async (...given) => (await import('./proxy-command.js')).startProxy(...given),
  sandbox: async (environment) => (await import('./sandbox-command.js')).startSandbox(environment),
};

/** Names of the errors that are printed as one line; their classes are loaded with the commands. */
const EXPECTED: readonly string[] = ['CannotListen', 'PortTaken', 'StorageFailed', 'ProxyNotThere', 'DeskRefused'];

/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;
const STOP_LIMIT_MS = 20_000;
/** As long as the hash of HS256 (RFC 7518 section 3.2). */
const SECRET_BYTES = 32;

/** Runs one command until a signal stops it; every expected failure is one clear line. */
export async function run(args: readonly string[], environment: Environment): Promise<void> {
  const [word, ...rest] = args;
  if (word === 'help' || optionsIn(args).some((asked) => asked === '--help' || asked === '-h')) {
    process.stdout.write(USAGE);
    if (word === 'proxy' || word === 'check') await printSettings();
    return;
  }
  if (word === '--version' && rest.length === 0) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  if (word === 'secret' && rest.length === 0) {
    process.stdout.write(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    return;
  }
  if (word === 'check' || word === 'edits' || word === 'items') {
    await runOnce(word, rest, environment);
    return;
  }
  const command = word !== undefined && Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  const acceptLogDamage = word === 'proxy' && rest.length === 1 && rest[0] === '--accept-log-damage';
  if (command === undefined || (rest.length > 0 && !acceptLogDamage)) {
    process.stderr.write(USAGE);
    process.exitCode = EXIT_USAGE;
    return;
  }
  try {
    const stopping = new AbortController();
    const started = command(environment, stopping.signal, { acceptLogDamage });
    stopOnSignal(started, stopping);
    await started;
  } catch (error) {
    process.exitCode = explain(error);
  }
}

async function printSettings(): Promise<void> {
  const { settingsHelp } = await import('../config/settings.js');
  process.stdout.write(
    `\nSettings are environment variables. In brackets is what holds without one.\n\n${settingsHelp()}`,
  );
}

/** What follows `--` is a name, whatever it looks like: an edit may be called `-h`. */
function optionsIn(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Commands that end by themselves: 0 when all went well, 1 when something did not, 64 where the words are off. */
async function runOnce(
  word: 'check' | 'edits' | 'items',
  words: readonly string[],
  environment: Environment,
): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const unheard = new AbortController();
  // What was asked for is done all the same; only a list ends there. The reader may have seen enough, as `head` does; a full disk is reported.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const known = unheard.signal.aborted;
    unheard.abort();
    if (error.code === 'EPIPE' || known) return;
    process.exitCode ??= 1;
    process.stderr.write(`not all of it could be said: ${error.message}\n`);
  });
  try {
    const well =
      word === 'check'
        ? await checkBy(words, environment, say)
        : word === 'items'
          ? await itemsBy(words, environment, say)
          : await editsBy(words, environment, say, unheard.signal);
    if (!well) process.exitCode = 1;
  } catch (error) {
    process.exitCode = explain(error);
  }
}

async function checkBy(
  words: readonly string[],
  environment: Environment,
  say: (line: string) => void,
): Promise<boolean> {
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
  } = parseArgs({ args: [...words], options }).values;
  const needsItem = unavailable || vendor !== undefined || learn !== undefined;
  if ((send === undefined && needsItem) || (learn === undefined && put)) {
    throw new WordsRefused(
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
    mayPut: put,
    isVerbose: verbose,
    say,
  });
}

async function editsBy(
  words: readonly string[],
  environment: Environment,
  say: (line: string) => void,
  unheard: AbortSignal,
): Promise<boolean> {
  const options = { json: { type: 'boolean', default: false }, vendor: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const { json, vendor } = values;
  const [verb, ...editIds] = positionals;
  const wish: EditsRequest | undefined =
    verb === 'list' && editIds.length === 0 && vendor === undefined
      ? { verb, json, unheard }
      : (verb === 'retry' || verb === 'discard') && editIds.length > 0 && !json
        ? { verb, editIds, vendor }
        : undefined;
  if (wish === undefined) {
    throw new WordsRefused('edits takes: list [--json], [--vendor NAME] retry ID..., [--vendor NAME] discard ID...');
  }
  const { edits } = await import('./edits-command.js');
  return edits(environment, wish, say);
}

async function itemsBy(
  args: readonly string[],
  environment: Environment,
  print: (line: string) => void,
): Promise<boolean> {
  const options = { vendor: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, ...ids] = positionals;
  if (verb !== 'release' || values.vendor === undefined || ids.length === 0) {
    throw new WordsRefused('items takes: release --vendor NAME ID...');
  }
  const { releaseItems } = await import('./items-command.js');
  return releaseItems(environment, { vendor: values.vendor, ids }, print);
}

class WordsRefused extends Error {
  override readonly name = 'WordsRefused';
}

/** A signal came before the command had started. */
class StoppedAtStart extends Error {
  override readonly name = 'StoppedAtStart';
}

/** Listens from the first moment: a program that reads "listens" in the log may send a signal at once. */
function stopOnSignal(started: ReturnType<Start>, stopping: AbortController): void {
  const onSignal = (): void => {
    // A second signal means "now": what is in flight is recovered at the next start.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new StoppedAtStart());
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
  if (error instanceof StoppedAtStart) return 0;
  if (error instanceof InvalidSettings) {
    for (const fault of error.faults) process.stderr.write(`${fault}\n`);
    return EXIT_CONFIG;
  }
  if (error instanceof WordsRefused || isParseError(error)) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
  if (error instanceof Error && EXPECTED.includes(error.name)) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  throw error;
}

function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
