import assert from 'node:assert/strict';
import { isRetryable, problem, PROBLEMS, type Problem, type ProblemCode } from '../../src/contract/problem.js';

const FIELDS = ['type', 'title', 'status', 'code', 'detail', 'retryable', 'request_id', 'errors'];

/** A person with a session may know which permission it lacks. */
const WHICH_PERMISSION =
  /^The session lacks the permission (?:view|edit|history|resolve|schedule|edit or (?:resolve|history))\.$/;

/** Checks an error response against everything that is promised of all of them (RFC 9457, and the headers). */
export async function expectProblem(
  response: Response,
  code: ProblemCode,
  detail: string | RegExp = code === 'permission_missing' ? WHICH_PERMISSION : PROBLEMS[code].detail,
): Promise<Problem> {
  const text = await response.text();
  assert.equal(response.headers.get('Content-Type'), 'application/problem+json', text);
  const body = problem.parse(JSON.parse(text));
  const unknown = Object.keys(JSON.parse(text) as object).filter((field) => !FIELDS.includes(field));
  assert.deepEqual(unknown, []);
  assert.equal(body.code, code);
  assert.equal(body.status, PROBLEMS[code].status);
  if (typeof detail === 'string') assert.equal(body.detail, detail);
  else assert.match(body.detail ?? '', detail);
  assert.equal(body.retryable, isRetryable(code));
  assert.equal(body.type, 'about:blank');
  assert.notEqual(body.title, 'Error', 'the status has a phrase of its own');
  assert.equal(response.status, body.status);
  assert.equal(response.headers.get('X-Request-Id'), body.request_id);
  assert.match(body.request_id, /^[0-9a-f-]{36}$/);
  expectApiHeaders(response);
  return body;
}

/** Checks the headers of a response. Every response of the API has them, error responses included. */
export function expectApiHeaders(response: Response): void {
  const shown = (name: string) => response.headers.get(name);
  assert.match(shown('Cache-Control') ?? '', /^no-store\b/);
  assert.equal(shown('Vary'), 'Origin');
  assert.equal(shown('X-Content-Type-Options'), 'nosniff');
  assert.equal(shown('Referrer-Policy'), 'no-referrer');
  assert.equal(shown('Cross-Origin-Resource-Policy'), 'same-origin');
  assert.equal(shown('Content-Security-Policy'), "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
  assert.match(shown('Strict-Transport-Security') ?? '', /^max-age=\d{8,}/);
  assert.equal(shown('Server'), null);
  assert.equal(shown('X-Powered-By'), null);
  assert.equal(shown('Set-Cookie'), null);
}
