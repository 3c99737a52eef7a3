import { adoptStyles, type CSSResult, type CSSResultOrNative, supportsAdoptingStyleSheets } from 'lit';

/** The styles that each shadow root has adopted. */
const stylesOf = new WeakMap<ShadowRoot, readonly CSSResultOrNative[]>();
/** The constructed sheets of documents other than that of this script. */
const sheetsOf = new WeakMap<Document, Map<CSSResult, CSSStyleSheet>>();

/**
 * Adds style sheets to a shadow root. A constructed sheet belongs to one document (CSSOM, "adopted style sheets"), so a
 * root in another document gets sheets that are constructed there, and loses them when its element moves on.
 */
export function addStyles(root: ShadowRoot, styles: readonly CSSResultOrNative[]): void {
  const known = stylesOf.get(root) ?? [];
  const added = styles.filter((style) => !known.includes(style));
  if (added.length === 0) return;
  stylesOf.set(root, [...known, ...added]);
  restoreStyles(root);
}

/** Restores the styles of a root whose element was moved into another document. Call it in `adoptedCallback`. */
export function restoreStyles(root: ShadowRoot | null): void {
  const styles = root === null ? [] : (stylesOf.get(root) ?? []);
  if (root === null || root.ownerDocument === document || !supportsAdoptingStyleSheets) {
    if (root !== null) adoptStyles(root, [...styles]);
    return;
  }
  const { ownerDocument } = root;
  const view = ownerDocument.defaultView as (Window & typeof globalThis) | null;
  // A document without a window, such as that of a template, is not displayed and needs no style sheets.
  if (view !== null) root.adoptedStyleSheets = styles.flatMap((style) => sheetIn(ownerDocument, view, style));
}

function sheetIn(owner: Document, view: typeof globalThis, style: CSSResultOrNative): CSSStyleSheet[] {
  if (!('cssText' in style)) return [];
  const sheets = sheetsOf.get(owner) ?? new Map<CSSResult, CSSStyleSheet>();
  sheetsOf.set(owner, sheets);
  let sheet = sheets.get(style);
  if (sheet === undefined) {
    sheet = new view.CSSStyleSheet();
    sheet.replaceSync(style.cssText);
    sheets.set(style, sheet);
  }
  return [sheet];
}
