import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserUser } from '../journeys/browser-user.js';
import { useSites } from './use-sites.js';
import { payloads } from './payloads.js';
import { ADMIN, hostPage, PROXY, type SitePage } from './sites.js';

/**
 * T6 of the threats: an item has a name that runs as script. Half of the texts come from the host, half
 * from the proxy, in every field that an element shows or uses as a key.
 */
const TEXTS = payloads(1000);
const TIME = '2026-11-21T08:30:00.000Z';

const HOST_SCRIPT = `
  const texts = await (await fetch('/texts.json')).json();
  const editor = document.querySelector('inventory-editor');
  editor.items = texts
    .filter((_, at) => at % 2 === 0)
    .map((text) => ({ id: text, label: 'host ' + text, group: text }));
  for (const text of texts.slice(0, 30)) {
    const toggle = document.createElement('availability-toggle');
    toggle.setAttribute('session', '/inventory-session');
    toggle.setAttribute('item', text);
    document.body.append(toggle);
  }`;

function json(body: object, headers: Readonly<Record<string, string>> = {}): SitePage {
  return { body: JSON.stringify(body), type: 'application/json', headers };
}

for (const strict of [true, false]) {
  const policyName = strict ? 'a strict policy with Trusted Types' : 'no policy';

  describe(`a thousand hostile texts on a page with ${policyName}`, () => {
    const fixture = useSites();
    let user: BrowserUser;

    before(async () => {
      const cors = {
        'Access-Control-Allow-Origin': fixture.sites.origin(ADMIN),
        'Access-Control-Allow-Headers': 'authorization, x-requested-with',
      };
      const [hostile = ''] = TEXTS;
      fixture.sites.person = { subject: hostile, vendor: hostile };
      fixture.sites.put(
        PROXY,
        '/v1/session',
        json(
          {
            vendor: hostile,
            subject: hostile,
            name: hostile,
            permissions: ['view', 'edit', hostile],
            limits: { max_edits: 500, max_body_bytes: 262_144 },
            server_time: TIME,
            expires_at: '2026-11-21T08:45:00.000Z',
            version: hostile,
          },
          cors,
        ),
      );
      const told = TEXTS.filter((_, at) => at % 2 === 1);
      const item = { available: true, updated_at: TIME, state: 'refused', edit_id: 'edit-1' };
      const inventory = told.map((text) => ({ ...item, id: text, label: `proxy ${text}`, group: text, reason: text }));
      fixture.sites.put(PROXY, '/v1/inventory', json({ inventory, revision: 1 }, cors));
      fixture.sites.put(ADMIN, '/texts.json', json(TEXTS));
      fixture.sites.put(ADMIN, '/host.js', { body: HOST_SCRIPT, type: 'text/javascript' });
      const policy = `default-src 'none'; script-src 'self' ${fixture.sites.proxyUrl}; connect-src 'self' ${fixture.sites.proxyUrl}; img-src data:; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html`;
      const body = `<inventory-editor session="/inventory-session"></inventory-editor>
        <script type="module" src="/host.js"></script>`;
      fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, body, strict ? policy : ''));
      user = await fixture.visit();
      await user.page.locator('body > availability-toggle').nth(29).waitFor();
      await user.page.locator(`inventory-editor [role=grid][aria-rowcount="${String(TEXTS.length + 1)}"]`).waitFor();
    });

    it('are shown as text, and create no element', async () => {
      const { labels, made } = await user.page.evaluate(async () => {
        const editor = document.querySelector('inventory-editor')?.shadowRoot;
        const scroller = editor?.querySelector('.scroller');
        if (!editor || !scroller) throw new Error('no list');
        const labels = new Set<string>();
        let made = 0;
        // The list renders only the rows that are visible.
        for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight / 2) {
          scroller.scrollTop = top;
          for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
          for (const { textContent } of editor.querySelectorAll('.sheet .row')) labels.add(textContent);
          made += editor.querySelectorAll('img,script,iframe,a,b,template,style').length;
        }
        return { labels: [...labels], made };
      });

      assert.equal(made, 0);
      for (const [at, text] of TEXTS.entries()) {
        const label = `${at % 2 === 0 ? 'host' : 'proxy'} ${text}`;
        assert.ok(
          labels.some((shown) => shown.includes(label)),
          label,
        );
      }
    });

    it('do not run', async () => {
      assert.equal(await user.page.evaluate('globalThis.pwned'), undefined);
      assert.equal(await user.page.evaluate('({}).pwned'), undefined);
    });

    it(
      strict
        ? 'cause no violation, though the policy reports one for innerHTML'
        : 'run if a script sets them as innerHTML',
      async () => {
        const [text = ''] = TEXTS;

        const tried = user.page.evaluate((markup) => {
          document.body.innerHTML = markup;
        }, text);

        if (strict) {
          await assert.rejects(tried, /TrustedHTML/);
          // Reports arrive in order: when the report of this line is here, all earlier ones are, too.
          while (user.violations.length === 0) await nextTurn();
          assert.deepEqual(user.violations, ['require-trusted-types-for trusted-types-sink']);
        } else {
          await tried;
          await user.page.waitForFunction('globalThis.pwned === 1');
        }
      },
    );
  });
}
