import { SETTINGS } from '../../src/proxy/node/config/settings.js';
import { listAssumptions } from '../../src/proxy/portal/assumptions.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import { anchorOf, code, table } from './markdown.js';

/** The settings of the proxy, from the table that `--help` prints. */
export function settingsReference(): string {
  return SETTINGS.map(({ title, settings }) => {
    const rows = settings.map(({ names, fallback, meaning, section }) => [
      names.map(code).join(' or '),
      /^(?:none|required|one is required|the package's own)$/.test(fallback) ? fallback : code(fallback),
      section === undefined ? meaning : `${meaning}; see [${section}](#${anchorOf(section)})`,
    ]);
    return `${title}:\n\n${table(['setting', 'default', 'meaning'], rows)}`;
  }).join('\n\n');
}

/** The settings of the portal profile, from its schema and from the list of open points that `check` prints. */
export function profileReference(): string {
  const open = listAssumptions(portalProfile.parse({}), {}).filter(({ origin }) => origin !== 'documented');
  const rows = open.map(({ point, setting = '', value }, at) => [
    point === open[at - 1]?.point ? '' : point,
    code(setting),
    value === 'off' ? 'off' : code(value),
  ]);
  return table(
    ['open point', 'setting', 'default'],
    [
      ...rows,
      ["the operator's list", '`ITEMS_SOURCE` in the environment', 'none'],
      ['credentials', '`PORTAL_CREDENTIALS_FILE` in the environment', 'one pair for all vendors'],
    ],
  );
}
