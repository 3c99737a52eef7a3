export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

export function detail(text: string): HTMLElement {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}

/** Shows the one message of the panel: which fault was switched, or what does not work. */
export function say(text: string, kind = 'fault'): void {
  const note = byId('fault-note');
  if (note.textContent !== text) note.textContent = text;
  note.dataset['kind'] = kind;
}

export function isSaying(kind: string): boolean {
  return byId('fault-note').dataset['kind'] === kind;
}
