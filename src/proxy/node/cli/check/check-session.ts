import { readFileSync } from 'node:fs';
import { authenticateByEmbedToken } from '../../../access/embed-token.js';
import { SessionUnverifiable } from '../../../access/session.js';
import { noLog } from '../../../runtime/log.js';
import { readText } from '../../../runtime/read-body.js';
import type { ProxyConfig } from '../../config/proxy-config.js';
import { nodeClock, nodeDigest } from '../../node-defaults.js';
import { describeUnreachable } from '../../portal-fetch.js';
import type { WriteLine } from './check-report.js';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Verifies an embed token as the proxy would. @param path file with the token, or with the response of the session URL */
export async function checkTokenFile(
  path: string,
  settings: ProxyConfig,
  fetch: typeof globalThis.fetch | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    writeLine(`Embed token: ${path} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`);
    return false;
  }
  return judgeToken(tokenIn(text) ?? text, settings, fetch, writeLine);
}

/** Calls the host's session URL as a page does, without the cookies of a person. */
export async function checkSessionUrl(
  address: string,
  settings: ProxyConfig,
  fetch: typeof globalThis.fetch | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    writeLine(
      'Session URL: not asked. --session-url takes the whole address, as in https://admin.example.com/inventory-session.',
    );
    return false;
  }
  try {
    const answer = await (fetch ?? globalThis.fetch)(url.href, {
      method: 'POST',
      headers: { Accept: 'application/json', Origin: url.origin, 'X-Requested-With': 'inventory-widget' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readText(answer.body, MAX_ANSWER_BYTES, 'lenient');
    return await judgeAnswer(answer, text, settings, fetch, writeLine);
  } catch (error) {
    writeLine(
      `Session URL: no answer (${describeUnreachable(error)}). Check the attribute session, and that the host runs.`,
    );
    return false;
  }
}

async function judgeAnswer(
  { status, headers }: Response,
  text: string,
  settings: ProxyConfig,
  fetch: typeof globalThis.fetch | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  const type = headers.get('Content-Type')?.split(';')[0] ?? 'without a type';
  if (status === 401 || status === 403) {
    writeLine(
      `Session URL: ${String(status)} without a person's cookies, as it should be. Judge a person's token with --token FILE.`,
    );
    return true;
  }
  if (status >= 300 && status < 400) {
    writeLine(
      `Session URL: a redirect (${String(status)}), which pages do not follow. Answer 401 to a person who is not signed in.`,
    );
    return false;
  }
  const token = status === 200 ? tokenIn(text) : undefined;
  if (token === undefined) {
    writeLine(
      `Session URL: it answered ${String(status)}, ${type}. Expected: 200 with the JSON {"token": "…"} to a POST, or 401.`,
    );
    return false;
  }
  writeLine('Session URL: it gives a token to everybody who asks, without cookies. Right for a trial alone.');
  return judgeToken(token, settings, fetch, writeLine);
}

function tokenIn(text: string): string | undefined {
  try {
    const { token } = JSON.parse(text) as { readonly token?: unknown };
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    // Not JSON: the text may be the token itself.
    return undefined;
  }
}

async function judgeToken(
  token: string,
  { session, publicUrl, allowedOrigins }: ProxyConfig,
  fetch: typeof globalThis.fetch | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  const publicOrigin = new URL(publicUrl).origin;
  const origin = originIn(token);
  let reason = 'it is no token: three parts in base64url with dots between them';
  const check = authenticateByEmbedToken({
    ...session,
    publicOrigin,
    clock: nodeClock,
    digest: nodeDigest,
    log: noLog,
    ...(fetch && { fetch }),
  });
  const headers = { Authorization: `Bearer ${token}`, ...(origin !== undefined && { Origin: origin }) };
  try {
    const request = new Request(`${publicUrl}/v1/session`, { headers });
    const found = await check(request, { requestId: 'check', explain: (why) => void (reason = why) });
    if (found === undefined) {
      writeLine(`Embed token: refused: ${reason}.`);
      return false;
    }
    const { vendor, subject, permissions, items, expiresAt } = found;
    if (origin !== publicOrigin && origin !== undefined && !allowedOrigins.includes(origin)) {
      writeLine(`Embed token: its claim origin is ${origin}, which ALLOWED_ORIGINS does not list.`);
      return false;
    }
    const seconds = Math.round((expiresAt - Date.now()) / 1000);
    writeLine(
      `Embed token: taken. Vendor ${JSON.stringify(vendor)}, person ${JSON.stringify(subject)}, permissions ${[...permissions].join(', ') || 'none'}, items ${items?.join(', ') ?? 'all of the vendor'}; it ends in ${String(seconds)} s.`,
    );
    return true;
  } catch (error) {
    if (!(error instanceof SessionUnverifiable || error instanceof TypeError)) throw error;
    writeLine(`Embed token: not judged (${error instanceof SessionUnverifiable ? error.message : reason}).`);
    return false;
  }
}

/** The `origin` claim of the token, which the proxy compares with the browser's `Origin`. */
function originIn(token: string): string | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { origin } = JSON.parse(payload) as { readonly origin?: unknown };
    return typeof origin === 'string' ? origin : undefined;
  } catch {
    // Not a JWT; the verification reports that.
    return undefined;
  }
}
