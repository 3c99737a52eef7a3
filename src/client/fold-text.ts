/** Any text as it is searched and sorted: without case and accents, the same in every language of the page. */
export function foldText(text: string): string {
  // Most text has nothing to take apart, and normalising costs ten times as much.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}
