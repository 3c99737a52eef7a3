import { readFileSync } from 'node:fs';
import { listAssumptions, type Assumption } from '../../portal/assumptions.js';
import type { ProxySettings } from '../config/proxy-settings.js';
import { withoutMark, type Environment } from '../config/env-reader.js';

/** For each point that the portal's document leaves open: what this proxy goes by, and who says so. */
export function sayAssumptions(settings: ProxySettings, environment: Environment, say: (line: string) => void): void {
  const path = environment['PORTAL_PROFILE'];
  const given: unknown = path === undefined || path === '' ? {} : JSON.parse(withoutMark(readFileSync(path, 'utf8')));
  say('');
  say("The portal's document leaves much open. What this proxy goes by:");
  for (const { point, value, origin, setting } of [
    ...listAssumptions(settings.portal.profile, given),
    ...listOfEnvironment(settings),
  ]) {
    say(`  ${origin.padEnd(10)}  ${(setting ?? point).padEnd(34)}  ${value}`);
  }
  say('Ask the portal about what is assumed, and put the answer into the file that PORTAL_PROFILE names;');
  say('what has a name in capitals is a setting of the environment.');
  if (settings.portal.profile.update.method === 'PUT') {
    say(
      'With update.method PUT: a portal that replaces its whole inventory on PUT is not supported, because each update',
    );
    say('names only what has changed, and all other items would be lost. Ask the portal; else use POST or PATCH.');
  }
  say('');
}

/** What the document leaves open and the environment says: no profile says where a list is, or whose a secret. */
function listOfEnvironment({ items, portal: { account } }: ProxySettings): Assumption[] {
  const { byVendor } = account;
  return [
    {
      point: 'listing',
      value: items === undefined ? 'off' : `a ${items.kind}${items.byVendor ? ' for each vendor' : ''}`,
      origin: items === undefined ? 'assumed' : 'set',
      setting: 'ITEMS_SOURCE',
    },
    {
      point: 'credentials',
      value: byVendor === undefined ? 'one pair for all' : `of ${String(byVendor.size)} vendors`,
      origin: byVendor === undefined ? 'assumed' : 'set',
      setting: 'PORTAL_CREDENTIALS_FILE',
    },
  ];
}
