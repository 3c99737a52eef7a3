import { expect, flag, object, optional, type Check } from './checks.js';
import { itemId, time } from './fast-checks.js';
import type { CheckedHostItem } from './host-items.js';
import { MAX_IMAGE_URL_LENGTH, MAX_LABEL_LENGTH } from './limits.js';

function nullish<T>(check: Check<T>): Check<T | null | undefined> {
  return (value) => (value === null ? undefined : optional(check)(value));
}

const atMost = (most: number): Check<string> =>
  expect(`at most ${String(most)} characters`, (value) => typeof value === 'string' && value.length <= most);
const label = atMost(MAX_LABEL_LENGTH);

export const hostItemCheck = object<CheckedHostItem>({
  id: itemId,
  available: nullish(flag),
  updated_at: nullish(time),
  label: nullish(label),
  group: nullish(label),
  image: nullish(atMost(MAX_IMAGE_URL_LENGTH)),
  note: nullish(label),
});
