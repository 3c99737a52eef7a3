/** A stylesheet that any number of shadow roots share. Not Lit's tag, because a plain switch comes without Lit. */
export function css(strings: TemplateStringsArray): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(strings[0] ?? '');
  return sheet;
}
