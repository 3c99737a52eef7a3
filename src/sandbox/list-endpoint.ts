import { checkToken } from './inventory-endpoint.js';
import type { Reception } from './journal.js';
import { json, problem } from './responses.js';
import type { SandboxState } from './state.js';
import { readToken, type Variants } from './variants.js';

/**
 * The portal's list of its items, ordered by their first update and paged as the variants say. A cursor is opaque to
 * clients; here it is the number of items on earlier pages.
 */
export function listInventory(
  request: Request,
  { tokens, items, limits }: SandboxState,
  variants: Variants,
): Reception {
  const token = readToken(request.headers, variants);
  const check = token === undefined ? undefined : tokens.check(token);
  return {
    seen: { token: check === undefined || check.state === 'unknown' ? null : check.generation },
    decide: () => {
      const admitted = limits.admit(variants);
      if (typeof admitted !== 'function') return admitted;
      const refusal = checkToken(check, variants);
      if (refusal !== undefined) return { ...refusal, onResponded: admitted };
      const all = items.list().map(({ id, by_arrival }) => ({ id, ...by_arrival }));
      return { response: pageOf(all, new URL(request.url), variants), facts: {}, onResponded: admitted };
    },
  };
}

function pageOf(all: readonly object[], url: URL, { list, list_page: size }: Variants): Response {
  if (list === 'all') return json(200, { inventory: all });
  const [name, first] = list === 'page' ? ['page', '1'] : ['cursor', '0'];
  const place = url.searchParams.get(name) ?? first;
  if (!/^\d{1,9}$/.test(place) || (list === 'page' && place === '0')) return problem(400, `${name} is no such place.`);
  const start = list === 'page' ? (Number(place) - 1) * size : Number(place);
  const inventory = all.slice(start, start + size);
  const next = start + size < all.length ? String(start + size) : undefined;
  if (list !== 'link') return json(200, { inventory, ...(list === 'cursor' && next !== undefined && { next }) });
  const response = json(200, { inventory });
  if (next !== undefined) response.headers.set('Link', `<${url.pathname}?cursor=${next}>; rel="next"`);
  return response;
}
