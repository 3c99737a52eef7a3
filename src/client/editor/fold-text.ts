/** Letters that Unicode does not decompose into a plain letter and a mark, and what people type for them. */
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
 * Characters that people do not type in a search: marks (accents, Arabic vowel signs), the Arabic tatweel, and
 * characters without a width of their own (soft hyphen, zero-width joiner).
 */
const UNTYPED = /[\p{M}\p{Cf}\u0640]/gu;

const BEYOND_ASCII = /[\u0080-\uffff]+/g;

/** Cache of folded runs beyond ASCII: folding is slow, and a list has few different runs. */
const folded = new Map<string, string>();
const MAX_FOLDED = 5_000;

/** Folds a text for searching and sorting: without case, accents and width, the same in every language of the page. */
export function foldText(text: string): string {
  return text.replace(BEYOND_ASCII, foldRun).toLowerCase();
}

function foldRun(run: string): string {
  const known = folded.get(run);
  if (known !== undefined) return known;
  if (folded.size >= MAX_FOLDED) folded.clear();
  // Lower case comes first, because the table has lower-case letters. NFKD turns full-width letters and ligatures into
  // plain ones.
  const decomposed = run.toLowerCase().normalize('NFKD').replace(UNTYPED, '');
  const plain = decomposed.replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter);
  folded.set(run, plain);
  return plain;
}
