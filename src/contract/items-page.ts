import * as z from 'zod/mini';
import { hostItem } from './host-items.js';

/** A list of items as an operator keeps it, or one page of it: `next` is the `cursor` of the page after it. */
export const itemsPage = z.pipe(
  // A list alone is a page that is the last.
  z.transform((page: unknown) => (Array.isArray(page) ? { inventory: page } : page)),
  z.object({
    inventory: z.array(hostItem),
    next: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(2000)))),
  }),
);
export type ItemsPage = z.output<typeof itemsPage>;
