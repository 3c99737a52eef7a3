import { enSwitch } from '../../locales/en-switch.js';

/** The four nodes of a switch: the checkbox, the label, and the value with its words. Cloned for each. */
export function switchNodes(): DocumentFragment {
  const nodes = document.createDocumentFragment();
  const input = document.createElement('input');
  const [label, value] = [document.createElement('slot'), document.createElement('slot')];
  input.type = 'checkbox';
  input.role = 'switch';
  input.id = input.className = 'switch';
  label.id = label.className = 'label';
  value.className = 'value';
  value.ariaHidden = 'true';
  // As most of them are drawn first, so that nothing is left to change.
  value.append(enSwitch.notAvailable);
  value.name = 'off';
  input.setAttribute('aria-labelledby', 'label');
  input.part = 'control';
  label.part = 'label';
  value.part = 'value';
  nodes.append(input, label, value);
  return nodes;
}

/** What fills the label's slot: text, and elements that go into no other. */
export function isLabel(node: Node): boolean {
  return node instanceof Element ? node.slot === '' : node.nodeType === Node.TEXT_NODE;
}

/** The text of nodes as one line, with what stands for their pictures. */
export function spoken(nodes: readonly Node[]): string {
  return nodes.map(told).join(' ').trim().replace(/\s+/gu, ' ');
}

function told(node: Node): string {
  if (node instanceof Comment) return '';
  const { alt, data } = node as HTMLImageElement & Text;
  return alt || data || [...node.childNodes].map(told).join('');
}
