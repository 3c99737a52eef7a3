import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createJsonLog } from '../../../../src/proxy/node/telemetry/json-log.js';
import type { LogFields } from '../../../../src/proxy/runtime/log.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';

describe('a log line', () => {
  it('is one JSON object with its time, level and event first', () => {
    const { log, lines } = captured();

    log('warn', 'portal call', { code: 'retry', items: 3 });

    const { time, ...said } = JSON.parse(lines[0] ?? '') as { time: string };
    assert.deepEqual(said, { level: 'warn', msg: 'portal call', code: 'retry', items: 3 });
    assert.ok(!Number.isNaN(Date.parse(time)));
    assert.match(lines[0] ?? '', /^[^\n]+\n$/);
  });

  it('drops every field that is not on the list', () => {
    const { log, lines } = captured();
    const more = { code: 'retry', authorization: 'Bearer canary', body: { token: 'canary' } };

    log('info', 'portal call', more);

    assert.doesNotMatch(lines.join(''), /canary|authorization|body/);
    assert.match(lines[0] ?? '', /"code":"retry"/);
  });

  it('redacts a secret in a field', () => {
    const { log, lines } = captured();

    log('info', 'portal call', { error: new Secret('canary') } as unknown as LogFields);

    assert.match(lines[0] ?? '', /"error":"\[redacted\]"/);
    assert.doesNotMatch(lines.join(''), /canary/);
  });

  it('escapes control characters, and parses to the same text', () => {
    const { log, lines } = captured();
    const reason = 'a\u001b[2J b\u009b31m c\u202ed e\u2028f g\r\nh i\u{e0041}j Café 😀';

    log('info', 'embed token refused', { reason });

    assert.equal((JSON.parse(lines[0] ?? '') as LogFields).reason, reason);
    assert.match(lines[0] ?? '', /^[^\p{C}\p{Zl}\p{Zp}]+Café 😀[^\p{C}]+\n$/u);
  });

  it('is not written below the configured level', () => {
    const { log, lines } = captured();

    log('debug', 'request', { status: 200 });

    assert.deepEqual(lines, []);
  });
});

function captured(): { readonly log: ReturnType<typeof createJsonLog>; readonly lines: readonly string[] } {
  const lines: string[] = [];
  return { log: createJsonLog('info', { write: (line) => void lines.push(line) }), lines };
}
