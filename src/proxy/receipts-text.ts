import type { Receipt } from '../contract/widget.js';

/**
 * `{"receipts":[…]}` as `JSON.stringify` writes it, in half the time: most receipts of a batch say the same five things,
 * and what they say alike is written once. A test holds the two together.
 *
 * @returns pieces that are to be put together as bytes: a text of 128 KiB takes V8 thirty times as long
 */
export function receiptsText(receipts: readonly Receipt[]): string[] {
  const pieces: string[] = [];
  let text = '{"receipts":[';
  let between = START;
  let [last, alike, alikeAndStart] = ['', '', ''];
  for (const receipt of receipts) {
    const { edit_id, id, seq, state, updated_at } = receipt;
    if (state !== 'received' || NEEDS_CARE.test(id) || fieldsOf(receipt) !== 5) return [JSON.stringify({ receipts })];
    if (updated_at !== last) {
      [last, alike] = [updated_at, `,"state":"received","updated_at":"${updated_at}"}`];
      // Each piece that is added costs, whatever its length.
      alikeAndStart = `${alike},${START}`;
    }
    // An edit id has nothing that JSON escapes.
    text += `${between}${edit_id}","id":"${id}","seq":${String(seq)}`;
    between = alikeAndStart;
    if (text.length < LONG) continue;
    pieces.push(text);
    text = '';
  }
  pieces.push(`${text}${alike}]}`);
  return pieces;
}

const LONG = 64 * 1024;
const START = '{"edit_id":"';

/** Anything but visible ASCII without the quotation mark and the backslash: JSON may escape it. */
const NEEDS_CARE = /[^ !#-[\]-~]/;

function fieldsOf(receipt: Receipt): number {
  let fields = 0;
  for (const field in receipt) if (field !== '') fields += 1;
  return fields;
}
