import type * as z from 'zod/mini';
import { faultOf } from '../schema.js';

const reported = new Set<string>();

/**
 * Validates a stored value and drops unknown fields. Every script of this origin, and another version of the widget, may
 * write into the page's storage. A row of another shape is left out and stays stored; it is reported once, and does not
 * affect other rows.
 *
 * @param where the table, named in the warning to the developer of the page
 */
export function readStored<T>(schema: z.ZodMiniType<T>, value: unknown, where: string): T | undefined {
  const { data, success } = schema.safeParse(value);
  if (success) return data;
  const message = `${where}${faultOf(schema, value) ?? ''}`;
  if (!reported.has(message)) console.warn(`vendor-inventory-widget: left out what was stored in ${message}`);
  reported.add(message);
  return undefined;
}
