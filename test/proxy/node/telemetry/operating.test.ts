import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { createPrometheus } from '../../../../src/proxy/node/telemetry/prometheus.js';
import { openProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';
import { samplesOf } from '../../../support/samples-of.js';

const FOLDER = 'src/proxy/node/operating';
const alerts = readFileSync(`${FOLDER}/alerts.yml`, 'utf8');
const dashboard = readFileSync(`${FOLDER}/dashboard.json`, 'utf8');
const runbook = readFileSync(`${FOLDER}/runbook.md`, 'utf8');

describe('the monitoring of the proxy', () => {
  for (const [what, text] of Object.entries({
    'the alert rules': alerts,
    'the dashboard': dashboard,
    'the runbook': runbook,
  })) {
    it(`uses only metrics and labels that exist: ${what}`, async (t) => {
      const samples = await everySample(t);
      const asked = [
        ...text.replaceAll('\\"', '"').matchAll(/\b((?:inventory|process|nodejs)_[a-z0-9_]+)(\{[^}]*\})?/g),
      ];
      assert.ok(asked.length > 5);

      const unknown = asked.filter(
        ([, name = '', labels = '']) => !samples.some((sample) => answers(sample, name, labels)),
      );

      assert.deepEqual(
        unknown.map(([words]) => words),
        [],
      );
    });
  }

  it('shows every inventory metric on the dashboard', async (t) => {
    const samples = await everySample(t);
    const told = new Set(
      samples.map((sample) => /^inventory_\w+?(?=_bucket|_sum|_count|\{|$)/.exec(sample)?.[0] ?? ''),
    );
    told.delete('');
    told.delete('inventory_build_info');

    const unasked = [...told].filter((name) => !dashboard.includes(name));

    assert.deepEqual(unasked, []);
  });
});

describe('an alert', () => {
  const sections = new Set(
    [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')),
  );

  for (const [, name = '', rule = ''] of alerts.matchAll(/- alert: (\w+)\n([^]*?)(?=\n {6}- alert|$)/g)) {
    it(`links to a section of the runbook: ${name}`, () => {
      const section = /runbook: 'runbook\.md#([a-z-]+)'/.exec(rule)?.[1] ?? '';

      assert.ok(sections.has(section), `${section} is none of ${[...sections].join(', ')}`);
    });

    it(`does not page for a single event: ${name}`, () => {
      const isPage = rule.includes('severity: page');
      const [seconds, counted] = [/^ +for: (\w+)$/m.exec(rule)?.[1], /increase\(.*\[(\w+)\]/.exec(rule)?.[1]].map(
        inSeconds,
      );

      assert.ok(!isPage || (seconds ?? 0) > (counted ?? 0), '`for` has to be longer than the range of increase()');
    });
  }
});

describe('the dashboard', () => {
  it('is JSON in which every panel has a query', () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { id: number; title: string; targets: { expr: string }[] }[];
    };

    assert.ok(panels.length > 0);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { title, targets } of panels)
      assert.ok(targets.every(({ expr }) => expr !== '') && targets.length > 0, title);
  });
});

describe('the runbook', () => {
  const words = [...runbook.matchAll(/"msg":"([^"]+)"|`([a-z][a-z ]+ (?:again|on|long|outbox|failed))`/g)];

  const sources = readdirSync('src/proxy', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/proxy/${file}`, 'utf8'));

  for (const line of new Set(words.map(([, quoted, plain]) => quoted ?? plain ?? ''))) {
    it(`quotes an event that the proxy logs: ${line}`, () => {
      assert.ok(sources.some((text) => text.includes(`'${line}'`)));
    });
  }
});

function inSeconds(time = '0s'): number {
  return parseInt(time, 10) * (time.endsWith('m') ? 60 : 1);
}

/** Whether the sample is of this metric and has each of these labels. */
function answers(sample: string, name: string, labels: string): boolean {
  const [, own = '', given = ''] = /^(\w+)(\{.*\})?$/.exec(sample) ?? [];
  const names = [...labels.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
  return own === name && names.every((label) => new RegExp(`[{,]${label}="`).test(given));
}

/** The name and labels of every sample of a proxy that has served requests and made portal calls. */
async function everySample(t: TestContext): Promise<string[]> {
  const prometheus = createPrometheus();
  const { ask, proxy, portal, clock } = openProxy(t, { metrics: prometheus.metrics });
  const body = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };
  await ask('POST', '/v1/inventory', { token: await embedToken(), body });
  await ask('GET', '/v1/session');
  await portal.misbehave({ refuse_items: ['kayak'] });
  proxy.start();
  await clock.pass(1000);
  return [...samplesOf(await prometheus.scrape(await proxy.status())).keys()];
}
