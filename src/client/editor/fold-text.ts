/** Letters that Unicode does not take apart into a plain letter and a mark, and what people type for them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/**
 * Marks (accents, Arabic vowel signs), the Arabic tatweel, and characters without a width of their own (soft hyphen, zero-width
 * joiner): a person who searches does not type them.
 */
const UNTYPED = /[\p{M}\p{Cf}\u0640]/gu;

const BEYOND_ASCII = /[\u0080-\uffff]+/g;

/** Folded runs beyond ASCII, because a list repeats few of them and folding one is slow. */
const folded = new Map<string, string>();
const MAX_FOLDED = 5_000;

/** A text as it is searched and sorted: without case, accents and width, the same in every language of the page. */
export function foldText(text: string): string {
  return text.replace(BEYOND_ASCII, foldRun).toLowerCase();
}

function foldRun(run: string): string {
  const known = folded.get(run);
  if (known !== undefined) return known;
  if (folded.size >= MAX_FOLDED) folded.clear();
  // Lower case first, because the table has the small letters; NFKD turns full-width letters and ligatures into plain ones.
  const decomposed = run.toLowerCase().normalize('NFKD').replace(UNTYPED, '');
  const plain = decomposed.replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter);
  folded.set(run, plain);
  return plain;
}
