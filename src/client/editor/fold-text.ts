/** What was folded before: a language has few such runs, and taking one apart costs ten times as much as all else. */
const folded = new Map<string, string>();
const MOST = 5_000;

/** What is not ASCII. Chromium looks for what is in a class ten times as fast as for what is not in one. */
const FOREIGN = /[\u0080-\uffff]+/g;

/** Any text as it is searched and sorted: without case and accents, the same in every language of the page. */
export function foldText(text: string): string {
  return text.replace(FOREIGN, foldRun).toLowerCase().replaceAll('ς', 'σ');
}

function foldRun(run: string): string {
  const known = folded.get(run);
  if (known !== undefined) return known;
  if (folded.size >= MOST) folded.clear();
  const plain = run.normalize('NFD').replace(/\p{M}/gu, '');
  folded.set(run, plain);
  return plain;
}
