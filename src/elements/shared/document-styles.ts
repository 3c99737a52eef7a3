import { adoptStyles, type CSSResult, type CSSResultOrNative, supportsAdoptingStyleSheets } from 'lit';

/** What each shadow root has adopted. */
const stylesOf = new WeakMap<ShadowRoot, readonly CSSResultOrNative[]>();
/** Of documents other than the one of this script. */
const sheetsOf = new WeakMap<Document, Map<CSSResult, CSSStyleSheet>>();

/**
 * Adds style sheets to a shadow root. A constructed sheet belongs to one document (CSSOM, "adopted style sheets"): a root in
 * another one gets sheets that are constructed there, and loses them when its element moves on.
 */
export function addStyles(root: ShadowRoot, styles: readonly CSSResultOrNative[]): void {
  const known = stylesOf.get(root) ?? [];
  const added = styles.filter((style) => !known.includes(style));
  if (added.length === 0) return;
  stylesOf.set(root, [...known, ...added]);
  restoreStyles(root);
}

/** For `adoptedCallback`: the root of an element that has come to another document. */
export function restoreStyles(root: ShadowRoot | null): void {
  const styles = root === null ? [] : (stylesOf.get(root) ?? []);
  if (root === null || root.ownerDocument === document || !supportsAdoptingStyleSheets) {
    if (root !== null) adoptStyles(root, [...styles]);
    return;
  }
  const { ownerDocument } = root;
  const view = ownerDocument.defaultView as (Window & typeof globalThis) | null;
  // A document that is not shown, such as that of a template, has no style sheets and needs none.
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
