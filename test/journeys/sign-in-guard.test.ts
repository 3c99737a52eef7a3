import { before, describe, it } from 'node:test';
import { useSites } from '../security/use-sites.js';
import { ADMIN, EVIL, hostPage } from '../security/sites.js';

/** The usual guard of a web framework redirects requests without a session to the sign-in page. */
describe('a host that redirects its session URL to a sign-in page', () => {
  const fixture = useSites();

  before(async () => {
    for (const name of [ADMIN, EVIL])
      fixture.sites.put(name, '/sign-in', { body: '<!doctype html><title>Sign in</title>' });
  });

  for (const [where, name] of [
    ['on the same origin', ADMIN],
    ['on another site', EVIL],
  ] as const) {
    it(`${where}: the element shows that the person is signed out`, async (t) => {
      const session = `<availability-toggle item="kayak" session="/guarded">Kayak tour</availability-toggle>`;
      fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, session));
      fixture.sites.put(ADMIN, '/guarded', {
        body: '',
        status: 302,
        headers: { Location: `${fixture.sites.origin(name)}/sign-in` },
      });

      const { page, close } = await fixture.visit();
      t.after(close);

      await page.getByText('You are signed out.').first().waitFor();
    });
  }
});
