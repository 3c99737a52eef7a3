import { say } from './on-page.js';

/** The faults as the sandbox portal reports them. A field that is missing means that the fault is off. */
interface Faults {
  readonly down: boolean;
  readonly delay_ms: number;
  readonly refuse_items: readonly string[];
}

/**
 * The explanation of each button: what it switches at the portal, the proxy or the host, or what a colleague does on
 * another device.
 */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  down: 'The portal answers 503. Changes wait at the proxy as “received” and go out when it is back.',
  slow: 'The portal takes three seconds for each answer.',
  refuse:
    'The portal refuses the kayak tour with 422. The other items are not held up. If it has taken nothing yet, a colleague confirms the evening sailing first: otherwise a refusal looks like a wrong setting.',
  proxy: 'The proxy was killed with SIGKILL. Changes wait on this device and go out when it is back.',
  'signed-out': 'The host refuses new sessions. Changes are kept on this device until you sign in again.',
  expire: 'Every token that the portal gave so far is refused now. The proxy gets a new one and sends again.',
  flip: 'A colleague flipped the kayak tour on another device. It changes here by itself.',
  conflict:
    'Your phone was offline for an hour, and a colleague changed the kayak tour meanwhile. Nobody is overwritten: you choose.',
};

const switches = new Map<string, HTMLButtonElement>();

function isOn(fault: string): boolean {
  return switches.get(fault)?.getAttribute('aria-pressed') === 'true';
}

function mark(fault: string, on: boolean): void {
  switches.get(fault)?.setAttribute('aria-pressed', String(on));
}

async function send(method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}`);
}

async function act(fault: string): Promise<void> {
  switch (fault) {
    case 'expire':
      return send('POST', '/demo/expire-tokens', {});
    case 'flip':
    case 'conflict':
      return send('POST', '/demo/colleague', { deed: fault });
    case 'refuse':
      // Fails if the proxy or the portal is down. The edit is then not possible.
      if (isOn('refuse')) await send('POST', '/demo/colleague', { deed: 'first' }).catch(() => undefined);
      return setFaults();
    case 'proxy':
      return send('POST', '/demo/proxy', { running: !isOn('proxy') });
    case 'signed-out':
      await send('POST', '/demo/sign-in', { signed_in: !isOn(fault) });
      // The token in the page's memory stays valid until it expires. After the reload, the elements request a new one.
      location.reload();
      return;
    default:
      return setFaults();
  }
}

function setFaults(): Promise<void> {
  return send('PUT', '/demo/faults', {
    down: isOn('down'),
    delay_ms: isOn('slow') ? 3000 : 0,
    refuse_items: isOn('refuse') ? ['kayak-tour-2'] : [],
  });
}

async function press(fault: string, button: HTMLButtonElement): Promise<void> {
  // Without the present state, setting all faults would switch off those that are on.
  await known;
  const stays = button.hasAttribute('aria-pressed');
  if (stays) mark(fault, !isOn(fault));
  say(!stays || isOn(fault) ? (EXPLANATIONS[fault] ?? '') : '');
  try {
    await act(fault);
  } catch {
    if (stays) mark(fault, !isOn(fault));
    say('That did not work. Are the sandbox portal and the proxy running?');
  }
}

const known = readFaults().catch(() => {
  say('The sandbox portal does not answer. Is it running?', 'portal');
});

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-fault]')) {
  const fault = button.dataset['fault'] ?? '';
  switches.set(fault, button);
  button.addEventListener('click', () => void press(fault, button));
}

async function read<T>(path: string): Promise<T> {
  return (await (await fetch(path)).json()) as T;
}

/** Faults survive a reload of the page, so the buttons have to show which ones are on. */
async function readFaults(): Promise<void> {
  const { signed_in } = await read<{ signed_in: boolean }>('/demo/sign-in');
  mark('signed-out', !signed_in);
  if (!signed_in) say(EXPLANATIONS['signed-out'] ?? '');
  mark('proxy', !(await read<{ running: boolean }>('/demo/proxy')).running);
  const faults = await read<Partial<Faults>>('/demo/faults');
  mark('down', faults.down === true);
  mark('slow', (faults.delay_ms ?? 0) > 0);
  mark('refuse', (faults.refuse_items ?? []).length > 0);
}
