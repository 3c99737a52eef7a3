/** The panel beside the elements: faults to switch on, and the sandbox portal's journal as it grows. */
interface JournalEntry {
  readonly seq: number;
  readonly at: string;
  readonly kind: 'token' | 'update' | 'other';
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly token: number | null;
  readonly inventory:
    readonly { readonly id: string; readonly available: boolean; readonly updated_at: string }[] | null;
}

interface Faults {
  readonly down: boolean;
  readonly delay_ms: number;
  readonly refuse_items: readonly string[];
}

const POLL_MS = 700;
const SHOWN = 50;

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

const list = byId('journal');
const empty = byId('journal-empty');
const note = byId('fault-note');
const lines = new Map<number, HTMLLIElement>();

function draw(entry: JournalEntry): HTMLLIElement {
  const line = document.createElement('li');
  const status = document.createElement('b');
  const time = document.createElement('time');
  const ok = entry.status !== null && entry.status < 300;
  status.textContent = entry.status === null ? '…' : String(entry.status);
  time.textContent = new Date(entry.at).toLocaleTimeString('en-GB');
  line.classList.toggle('refused', !ok);
  line.append(time, status, ` ${entry.method} ${entry.path}`);
  if (entry.kind === 'token') line.append(detail('client credentials for a token'));
  if (entry.token !== null) line.append(detail(`with token ${String(entry.token)}`));
  for (const item of entry.inventory ?? []) line.append(detail(JSON.stringify(item)));
  return line;
}

function detail(text: string): HTMLElement {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}

function show(entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    const line = draw(entry);
    const known = lines.get(entry.seq);
    if (known === undefined) list.prepend(line);
    else known.replaceWith(line);
    lines.set(entry.seq, line);
  }
  empty.hidden = lines.size > 0;
  while (list.childElementCount > SHOWN) list.lastElementChild?.remove();
}

/** Everything up to here has been answered, so it changes no more. */
let settled = 0;

async function poll(): Promise<void> {
  try {
    const response = await fetch(`/demo/journal?after=${String(settled)}`);
    if (!response.ok) throw new Error(String(response.status));
    const { entries } = (await response.json()) as { entries: JournalEntry[] };
    show(entries);
    for (const entry of entries) {
      if (entry.status === null || entry.seq !== settled + 1) break;
      settled = entry.seq;
    }
    if (note.dataset['kind'] === 'portal') say('');
  } catch {
    say('The sandbox portal does not answer. Is it running?', 'portal');
  }
  setTimeout(() => void poll(), POLL_MS);
}

function say(text: string, kind = 'fault'): void {
  if (note.textContent !== text) note.textContent = text;
  note.dataset['kind'] = kind;
}

const switches = new Map<string, HTMLButtonElement>();

function isOn(fault: string): boolean {
  return switches.get(fault)?.getAttribute('aria-pressed') === 'true';
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  return fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  down: 'The portal answers 503. Changes wait at the proxy as “received” and go out when it is back.',
  slow: 'The portal takes three seconds for each answer.',
  refuse: 'The portal refuses the kayak tour with 422. The other items are not held up.',
  'signed-out': 'The host refuses new sessions. Changes are kept on this device until you sign in again.',
  expire: 'Every token that the portal gave so far is refused now. The proxy gets a new one and sends again.',
};

async function press(fault: string, button: HTMLButtonElement): Promise<void> {
  if (button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', String(!isOn(fault)));
  say(!button.hasAttribute('aria-pressed') || isOn(fault) ? (EXPLANATIONS[fault] ?? '') : '');
  if (fault === 'expire') {
    await send('POST', '/demo/expire-tokens', {});
  } else if (fault === 'signed-out') {
    await send('POST', '/demo/sign-in', { signed_in: !isOn(fault) });
    // The token in the page's memory would serve until it expires; after a reload the elements need a new one.
    location.reload();
  } else {
    await send('PUT', '/demo/faults', {
      down: isOn('down'),
      delay_ms: isOn('slow') ? 3000 : 0,
      refuse_items: isOn('refuse') ? ['kayak-tour-2'] : [],
    });
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-fault]')) {
  const fault = button.dataset['fault'] ?? '';
  switches.set(fault, button);
  button.addEventListener(
    'click',
    () =>
      void press(fault, button).catch(() => {
        say('That did not work. Is the sandbox portal running?');
      }),
  );
}

/** Faults outlive a reload: the buttons show what is on. */
async function readFaults(): Promise<void> {
  const { signed_in } = (await (await fetch('/demo/sign-in')).json()) as { signed_in: boolean };
  switches.get('signed-out')?.setAttribute('aria-pressed', String(!signed_in));
  if (!signed_in) say(EXPLANATIONS['signed-out'] ?? '');
  const faults = (await (await fetch('/demo/faults')).json()) as Partial<Faults>;
  switches.get('down')?.setAttribute('aria-pressed', String(faults.down === true));
  switches.get('slow')?.setAttribute('aria-pressed', String((faults.delay_ms ?? 0) > 0));
  switches.get('refuse')?.setAttribute('aria-pressed', String((faults.refuse_items ?? []).length > 0));
}

void readFaults().catch(() => {
  say('The sandbox portal does not answer. Is it running?', 'portal');
});
void poll();

export {};
