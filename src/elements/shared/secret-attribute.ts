// What the host's own code keeps in `data-`, such as a token against forgery, is the host's affair.
const NAMED_LIKE_A_SECRET = /^(?!data-|aria-).*(?:secret|token|passw|credential|api[-_]?key|authori[sz]ation)/;

/** The slip that costs most: whatever stands in an attribute, every script and every visitor of the page can read. */
export function secretAttribute(element: Element): string | undefined {
  return element.getAttributeNames().find((name) => NAMED_LIKE_A_SECRET.test(name));
}
