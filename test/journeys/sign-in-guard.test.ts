import { before, describe, it } from 'node:test';
import { useSites } from '../security/use-sites.js';
import { ADMIN, EVIL, hostPage } from '../security/sites.js';

/** The usual guard of a web framework: whoever is not signed in is led to a page where they do so. */
describe('a host whose guard redirects a person who is signed out', () => {
  const fixture = useSites();

  before(async () => {
    for (const name of [ADMIN, EVIL])
      fixture.sites.put(name, '/sign-in', { body: '<!doctype html><title>Sign in</title>' });
  });

  for (const [where, name] of [
    ['of its own', ADMIN],
    ['of another site', EVIL],
  ] as const) {
    it(`${where}: the person reads that they are signed out`, async (t) => {
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
