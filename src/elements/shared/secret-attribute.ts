// Attributes that start with `data-` belong to the host's own code, which may store a CSRF token in one.
const NAMED_LIKE_A_SECRET = /^(?!data-|aria-).*(?:secret|token|passw|credential|api[-_]?key|authori[sz]ation)/;

/** Finds an attribute that is named like a secret: every script and every visitor of the page can read attributes. */
export function secretAttribute(element: Element): string | undefined {
  return element.getAttributeNames().find((name) => NAMED_LIKE_A_SECRET.test(name));
}
