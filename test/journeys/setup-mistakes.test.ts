import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ConsoleMessage, Response } from 'playwright-core';
import type { LogFields } from '../../src/proxy/runtime/log.js';
import { useSites } from '../security/use-sites.js';
import { ADMIN, EVIL, hostPage, type SitePage, type Sites } from '../security/sites.js';
import { signed, type Claims } from '../support/forged-tokens.js';
import { visit } from './browser-user.js';

/** A mistake in an integration, and how the page, the console, the proxy's log and its response describe it. */
interface Mistake {
  readonly name: string;
  /** The response of the host's session URL. Default: a valid token. */
  readonly host?: (sites: Sites) => Promise<Partial<SitePage>> | Partial<SitePage>;
  /** Attributes of the element. */
  readonly attributes?: (sites: Sites) => string;
  /** The URL in the `proxy` attribute. Default: no attribute, so the server of the script. */
  readonly proxy?: (sites: Sites) => string;
  readonly policy?: (sites: Sites) => string;
  /** The site of the page. */
  readonly site?: string;
  readonly page: string;
  readonly console: RegExp;
  /** Event and reason of a warning in the log. */
  readonly log?: RegExp;
  /** `detail` of the problem response. */
  readonly answer?: RegExp;
}

const SIGNED_OUT = 'You are signed out. Sign in again on this page; your changes are safe here.';
const NOT_SET_UP = 'This page is not set up correctly, so changes cannot be sent yet. They stay on this device.';
const UNCHECKED = 'Your sign-in cannot be checked right now. Your changes are safe here; we keep trying.';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A host whose token is valid except for these claims. */
function token(claims: () => Claims, secret?: string): Mistake['host'] {
  return async (sites) => {
    const now = nowSeconds();
    const good: Claims = {
      iss: sites.origin(ADMIN),
      aud: sites.proxyUrl,
      sub: 'person-ada',
      vendor: 'boat-tours',
      permissions: ['view', 'edit'],
      origin: sites.origin(ADMIN),
      iat: now,
      exp: now + 600,
      jti: crypto.randomUUID(),
    };
    const key = new TextEncoder().encode(secret ?? sites.sessionSecret);
    return json({ token: await signed({ ...good, ...claims() }, { alg: 'HS256' }, key) });
  };
}

function json(body: unknown): Partial<SitePage> {
  return { body: JSON.stringify(body), type: 'application/json' };
}

const refused = (name: string, host: Mistake['host'], reason: RegExp): Mistake => ({
  name,
  ...(host && { host }),
  page: NOT_SET_UP,
  console: /The proxy refuses this page's token\. Came: .*"iss":.*SESSION_ISSUER.*#this-page-is-not-set-up-correctly/,
  log: new RegExp(`embed token refused.*${reason.source}`),
  answer: reason,
});

const MISTAKES: readonly Mistake[] = [
  {
    name: 'no person is signed in',
    host: () => ({ body: '', status: 401 }),
    page: SIGNED_OUT,
    console: /No person is signed in\. Came: .*: 401.*#you-are-signed-out/,
  },
  refused(
    'another issuer',
    token(() => ({ iss: 'https://other.example.com' })),
    /SESSION_ISSUER/,
  ),
  refused(
    'another audience',
    token(() => ({ aud: 'https://other.example.com' })),
    /SESSION_AUDIENCE/,
  ),
  refused(
    'another origin in the token',
    token(() => ({ origin: 'https://other.example.com' })),
    /origin claim has to be/,
  ),
  refused(
    'another secret',
    token(() => ({}), 'x'.repeat(32)),
    /SESSION_SECRET_FILE/,
  ),
  refused(
    'a clock that is behind',
    token(() => ({ iat: nowSeconds() - 3600, exp: nowSeconds() - 3000 })),
    /clock of the host is behind/,
  ),
  refused(
    'a clock that is ahead',
    token(() => ({ iat: nowSeconds() + 3600, exp: nowSeconds() + 4200 })),
    /clock of the host is ahead/,
  ),
  refused(
    'a token lifetime of an hour',
    token(() => ({ exp: nowSeconds() + 3600 })),
    /more than 15 minutes after iat/,
  ),
  refused(
    'an unknown permission',
    token(() => ({ permissions: ['write'] })),
    /permissions has to be/,
  ),
  {
    name: 'a permission is missing',
    host: token(() => ({ permissions: ['edit'] })) ?? (() => ({})),
    page: 'You may not see these items.',
    console: /The session lacks a permission\. Came: .*lacks the permission view.*#you-may-not-see-these-items/,
    log: /problem response.*The session lacks the permission view/,
    answer: /The session lacks the permission view/,
  },
  {
    name: 'the session URL returns an HTML page',
    host: () => ({ body: '<!doctype html><title>Admin</title>' }),
    page: NOT_SET_UP,
    console: /The host does not give a token\. Came: .*200 text\/html.*not JSON\. Expected: .*attribute session/,
  },
  {
    name: 'the session URL returns JSON without a token',
    host: () => json({ jwt: 'made-up' }),
    page: NOT_SET_UP,
    console: /The host does not give a token\. Came: .*another shape: \/token/,
  },
  {
    name: 'the session URL does not exist',
    host: () => ({ body: 'no such page', status: 404 }),
    page: NOT_SET_UP,
    console: /The host does not give a token\. Came: .*: 404\./,
  },
  {
    name: 'the session URL redirects to another site',
    host: () => ({ body: '', status: 302, headers: { Location: '/sign-in' } }),
    page: SIGNED_OUT,
    console: /No person is signed in\. Came: .*: a redirect\. Expected: .*no redirect/,
  },
  {
    name: 'the session URL returns a server error',
    host: () => ({ body: '', status: 500 }),
    page: UNCHECKED,
    console: /The host cannot be asked for a token\. Came: .*: 500\..*#your-sign-in-cannot-be-checked-right-now/,
  },
  {
    name: 'the session attribute is missing on a page of another origin',
    attributes: () => '',
    page: NOT_SET_UP,
    console: /The elements have no session\. Came: .*: 401.*attribute session or the property getSession/,
    log: /embed token missing.*session or getSession/,
    answer: /no session or getSession/,
  },
  {
    name: 'the origin of the page is not allowed',
    site: EVIL,
    host: token(() => ({})) ?? (() => ({})),
    page: 'This page may not show your items. The people who run it have to allow its address.',
    console: /The proxy does not allow this page\. .*ALLOWED_ORIGINS of the proxy lists http:\/\/evil\.localhost/,
    log: /pages of this origin may not ask.*ALLOWED_ORIGINS/,
  },
  {
    name: 'the proxy is unreachable',
    proxy: (sites) => sites.proxyUrl.replace(/:\d+$/, ':9'),
    page: 'No connection. Your changes are safe here; we keep trying.',
    console: /The proxy cannot be reached\. Came: .*attribute proxy.*#no-connection/,
  },
  {
    name: 'another server answers at the URL of the proxy',
    proxy: (sites) => sites.origin(ADMIN),
    page: 'No connection. Your changes are safe here; we keep trying.',
    console: /Something else than the proxy answers\. Came: .*\/v1\/session: 404\./,
  },
  {
    name: 'the content security policy of the page blocks the proxy',
    policy: (sites) => `connect-src 'self'; script-src ${sites.proxyUrl}`,
    page: NOT_SET_UP,
    console: /content security policy blocks the proxy\. .*connect-src lists http:\/\/inventory\.shop\.localhost/,
  },
];

describe('a mistake of the integrator', () => {
  const lines: string[] = [];
  const fixture = useSites({
    proxy: {
      debugSessions: true,
      log: (level, event, { reason = '', request_id = '' }: LogFields = {}) =>
        void lines.push([level, event, reason, request_id].join(' | ')),
    },
  });

  for (const mistake of MISTAKES) {
    it(`is recognised: ${mistake.name}`, async (t) => {
      const { sites } = fixture;
      const { site = ADMIN, attributes = () => 'session="/session"', policy, host = () => goodToken(sites) } = mistake;
      const given = await host(sites);
      sites.put(site, '/session', { body: '', isPosted: true, ...given });
      const proxy = mistake.proxy?.(sites);
      const named = `${attributes(sites)}${proxy === undefined ? '' : ` proxy="${proxy}"`}`;
      const element = `<availability-toggle item="kayak" ${named}>Kayak</availability-toggle>`;
      sites.put(site, '/', hostPage(sites, element, policy?.(sites), proxy));
      lines.length = 0;

      const user = await visit(fixture.browser, 'about:blank');
      t.after(user.close);
      const { page } = user;
      const said: string[] = [];
      const bodies: Promise<string>[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('response', (response) => {
        if (response.url().includes('/v1/')) bodies.push(detailOf(response));
      });
      const isFound = (message: ConsoleMessage): boolean => mistake.console.test(message.text());
      const explanation = page.waitForEvent('console', isFound).catch(() => undefined);
      await page.goto(sites.origin(site));
      await page.getByText(mistake.page).first().waitFor();
      assert.ok(await explanation, `the console says nothing like ${String(mistake.console)}:\n${said.join('\n')}`);

      const details = await Promise.all(bodies);
      const explained = said.filter((line) => line.startsWith('vendor-inventory-widget: ') && line.includes('Came: '));
      assert.match(explained.at(-1) ?? '', mistake.console);
      assert.equal(new Set(explained).size, explained.length, 'each mistake is logged once');
      for (const line of explained) assertSection(line);
      const [, ...parts] = /"(eyJ[\w-]+\.[\w-]+\.)([\w-]+)"/.exec(given.body ?? '') ?? [];
      for (const part of parts) assert.ok(![...said, ...lines, ...details].some((line) => line.includes(part)));
      if (mistake.log)
        assert.ok(
          lines.some((line) => line.startsWith('warn') && mistake.log?.test(line)),
          lines.join('\n'),
        );
      if (mistake.answer)
        assert.ok(
          details.some((detail) => mistake.answer?.test(detail)),
          details.join('\n'),
        );
    });
  }
});

/** Empty if the response is no problem document. */
async function detailOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { readonly detail?: string };
  return body.detail ?? '';
}

function goodToken(sites: Sites): Promise<Partial<SitePage>> | Partial<SitePage> {
  return token(() => ({}))?.(sites) ?? {};
}

/** The section of the documentation that the line links to exists. */
function assertSection(line: string): void {
  const anchor = /troubleshooting\.md#([\w-]+)$/.exec(line)?.[1];
  const headings = readFileSync('src/troubleshooting.md', 'utf8').matchAll(/^## (.+)$/gm);
  const anchors = [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  assert.ok(anchor !== undefined && anchors.includes(anchor), line);
}
