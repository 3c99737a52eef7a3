import 'axe-core/axe.min.js';

/** The part of axe that computes names as browsers do, through shadow roots and slots. */
interface Axe {
  setup(root: Element): void;
  teardown(): void;
  readonly commons: { readonly text: { accessibleText(element: Element): string } };
}

declare global {
  interface Window {
    readonly axe: Axe;
  }
}

/** The name by which a screen reader calls an element. */
export function accessibleName(element: Element): string {
  window.axe.setup(document.body);
  try {
    return window.axe.commons.text.accessibleText(element);
  } finally {
    window.axe.teardown();
  }
}
