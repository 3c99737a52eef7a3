import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import type { visit } from '../journeys/browser-user.js';
import { minimalSettings } from '../support/minimal-settings.js';
import { Command } from '../support/run-command.js';
import { useSites } from './use-sites.js';
import { ADMIN } from './sites.js';

/** A host page needs only the script tag and policy that `vendor-inventory check` prints (T6 and T7 of the threats). */
describe('a host page with the tag and policy that the check prints', () => {
  const fixture = useSites();

  async function printed(t: TestContext): Promise<{ readonly [part in 'policy' | 'tag' | 'besideLit']: string }> {
    const [secret = ''] = fixture.sites.secrets;
    const environment = {
      ...minimalSettings(),
      PORTAL_BASE_URL: fixture.sites.portalUrl,
      PORTAL_CLIENT_SECRET: secret,
      PUBLIC_URL: `http://localhost:${new URL(fixture.sites.proxyUrl).port}`,
      WIDGET_DIR: 'dist/widget',
    };
    const command = new Command(t, ['check'], { environment });
    assert.equal(await command.exitCode(), 0, command.stderr);
    const [policy = ''] = /script-src .*/.exec(command.stdout) ?? [];
    const [tag = ''] = /<script .*/.exec(command.stdout) ?? [];
    const [besideLit = ''] = /trusted-types lit-html '.*?'/.exec(command.stdout) ?? [];
    return { policy, tag, besideLit };
  }

  function put(tag: string, policy: string): void {
    const body = `<!doctype html><title>Host</title>${tag}
      <availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>`;
    fixture.sites.put(ADMIN, '/', { body, headers: { 'Content-Security-Policy': `default-src 'none'; ${policy}` } });
  }

  it('delivers a change to the portal, without a violation of its policy', async (t) => {
    const { tag, policy } = await printed(t);
    put(tag, policy);

    const user = await fixture.visit();
    t.after(() => user.close());
    const toggle = user.page.locator('availability-toggle');
    await toggle.getByRole('button', { name: 'Available', exact: true }).click();
    await toggle.getByText('Live on the portal', { exact: true }).waitFor();

    assert.match(tag, / integrity="sha384-/);
    assert.deepEqual(user.violations, []);
  });

  it('can also use its own Lit, loaded before or after, with the directive that is printed for that', async (t) => {
    const { tag, policy, besideLit } = await printed(t);
    fixture.sites.put(ADMIN, '/lit.js', { type: 'text/javascript', body: `${LIT}\ndocument.title = 'Lit is there';` });
    const own = '<script type="module" src="/lit.js"></script>';
    const list = '<script type="application/json">[{"id":"kayak","label":"Kayak tour"}]</script>';
    const editor = `<inventory-editor session="/inventory-session">${list}</inventory-editor>`;
    const open = async (scripts: string, types: string): ReturnType<typeof visit> => {
      const ours = policy.replace('script-src', "script-src 'self'").replace(/trusted-types .*/, types);
      const headers = { 'Content-Security-Policy': `default-src 'none'; ${ours}` };
      fixture.sites.put(ADMIN, '/', { body: `<!doctype html><title>Host</title>${scripts}${editor}`, headers });
      const user = await fixture.visit();
      t.after(() => user.close());
      return user;
    };

    const refused = await open(own + tag, 'trusted-types lit-html');
    for (const scripts of [own + tag, tag + own]) {
      const { page, violations } = await open(scripts, besideLit);
      await page.getByText('Kayak tour', { exact: true }).first().waitFor();
      assert.equal(await page.title(), 'Lit is there');
      assert.deepEqual(violations, []);
    }

    assert.match(besideLit, /^trusted-types lit-html '/);
    assert.match(refused.violations.join(), /trusted-types/);
  });

  it('does not work without script-src, so the policy is in force', async (t) => {
    const { tag, policy } = await printed(t);
    put(tag, policy.replace(/script-src [^;]+;/, ''));

    const user = await fixture.visit();
    t.after(() => user.close());

    assert.equal(await user.page.evaluate(() => customElements.get('availability-toggle') !== undefined), false);
    assert.match(user.violations.join(), /script-src/);
  });
});

/** The application's own copy of Lit, which creates a policy of the same name. */
const LIT = readFileSync('node_modules/lit-html/lit-html.js', 'utf8');
