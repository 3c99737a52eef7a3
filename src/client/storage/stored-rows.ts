import type * as z from 'zod/mini';
import { faultOf } from '../schema.js';

const reported = new Set<string>();

/**
 * What was stored, as its schema says, without fields that nobody here reads. Every script of this origin may write into the
 * page's storage, and so may another version of the widget: a row of another shape stays where it is and is left out, is
 * reported once, and stops no other row.
 *
 * @param where for the person who builds the page
 */
export function readStored<T>(schema: z.ZodMiniType<T>, value: unknown, where: string): T | undefined {
  const { data, success } = schema.safeParse(value);
  if (success) return data;
  const message = `${where}${faultOf(schema, value) ?? ''}`;
  if (!reported.has(message)) console.warn(`vendor-inventory-widget: left out what was stored in ${message}`);
  reported.add(message);
  return undefined;
}
