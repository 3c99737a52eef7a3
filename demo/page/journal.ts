import { byId, detail, isSaying, say } from './on-page.js';

/** An entry of the sandbox portal's journal, which lists the requests that the portal received. */
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

const POLL_MS = 700;
const SHOWN = 50;

const list = byId('journal');
const empty = byId('journal-empty');
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

/** The number of the last entry of which it and all before it have a response, so that they change no more. */
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
    if (isSaying('portal')) say('');
  } catch {
    say('The sandbox portal does not answer. Is it running?', 'portal');
  }
  setTimeout(() => void poll(), POLL_MS);
}

void poll();
