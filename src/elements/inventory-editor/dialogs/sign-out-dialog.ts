import { html, nothing, type TemplateResult } from 'lit';
import type { ItemId } from '../../../domain/item.js';
import { toTimestamp } from '../../../domain/item.js';
import { timeAgo } from '../../shared/relative-time.js';
import type { DialogsOfEditor, DialogView, SignOutChoice, ToolsOfEditor } from '../editor-context.js';
import { valueText } from './dialog-parts.js';

/** Items of each group that the dialog names; the others are counted. */
const MAX_NAMED = 100;

/** @returns the number of drafts: those of this page, and those of earlier pages that are still on offer */
export function unsaved({ context, autosave }: ToolsOfEditor): number {
  return context.table.counts.changed + (autosave.offered?.count ?? 0);
}

/** Asks what to do with changes that are not saved or not sent. */
export function askToSignOut(tools: ToolsOfEditor, unsent: number): Promise<SignOutChoice> {
  return new Promise((resolve) => {
    tools.withDialogs((dialogs) => {
      dialogs.signOut(unsent, () => unsaved(tools), resolve);
    });
  });
}

/** Names the changes that would be lost and explains each choice. A choice that loses nothing has the focus. */
export function renderSignOut(
  dialogs: DialogsOfEditor,
  unsent: number,
  answer: (choice: SignOutChoice) => void,
): DialogView {
  const { tools } = dialogs;
  const { text, store } = tools.context;
  const send = unsaved(tools) > 0 ? text.signOutSave : text.signOutSend;
  const choice = (name: SignOutChoice, label: string, className: string): TemplateResult =>
    html`<button
      type="button"
      class=${className}
      part=${name === 'send' ? 'button primary-button' : 'button'}
      ?autofocus=${name === 'send'}
      @click=${() => {
        answer(name);
      }}
    >
      ${label}
    </button>`;
  const { status, problem } = store.snapshot;
  return {
    title: text.signOutUnsent(unsent),
    body: html`${status === 'unreachable' ? html`<p class="trouble">${text.connection(problem)}</p>` : nothing}
      <dl class="answers">
        <dt>${send}</dt>
        <dd>${text.signOutSends}</dd>
        <dt>${text.signOutDelete}</dt>
        <dd>${text.signOutDeletes}</dd>
      </dl>
      ${renderGroups(dialogs)}`,
    choices: html`${choice('stay', text.signOutStay, 'plain')} ${choice('delete', text.signOutDelete, 'plain danger')}
    ${choice('send', send, 'strong')}`,
  };
}

interface UnsentItem {
  readonly name: string;
  readonly available: boolean | undefined;
}

/** The changes in groups: not saved, not sent, refused. */
function renderGroups(dialogs: DialogsOfEditor): unknown[] {
  const { context, autosave } = dialogs.tools;
  const { text, table, store, language, timeZone } = context;
  const drafts = dialogs.listed('changed');
  const drafted = drafts.itemIndexes.flatMap((itemIndex) => {
    const { view, draft } = table.row(itemIndex) ?? {};
    return view === undefined || draft === undefined ? [] : [{ name: view.label ?? view.id, available: draft }];
  });
  const [unsent, refused]: [ItemId[], ItemId[]] = [[], []];
  for (const id of store.unsentIds) (store.view(id).truth === 'needs-attention' ? refused : unsent).push(id);
  const named = (ids: readonly ItemId[]): UnsentItem[] =>
    ids.slice(0, MAX_NAMED).map((id) => {
      const { label, available } = store.view(id);
      return { name: label ?? id, available };
    });
  const group = (title: string, items: readonly UnsentItem[], count: number, note = ''): unknown =>
    count === 0
      ? nothing
      : html`<h4>${title} (${text.number(count)})</h4>
          ${note === '' ? nothing : html`<p>${note}</p>`}
          <ul class="listing names">
            ${items.map(
              ({ name, available }) => html`<li><bdi>${name}</bdi> <span>${valueText(context, available)}</span></li>`,
            )}
          </ul>
          ${count > items.length ? html`<p>${text.more(count - items.length)}</p>` : nothing}`;
  const { offered } = autosave;
  const age = timeAgo(toTimestamp(offered?.madeAt ?? 0), Date.now(), language, timeZone, text.justNow);
  return [
    group(text.changed, drafted, drafts.count),
    offered === undefined ? nothing : html`<p>${text.drafts(offered.count, age)}</p>`,
    group(text.truth['on-device'], named(unsent), unsent.length),
    group(text.truth['needs-attention'], named(refused), refused.length, text.signOutRefused),
  ];
}
