import { html, render } from 'lit';
import type { ConfirmTexts } from '../../locales/dictionary.js';
import { enConfirm } from '../../locales/en.js';
import { observeSize } from '../shared/other-document.js';

/**
 * Asks for confirmation before an item becomes unavailable.
 *
 * @param root the parent of the dialog
 * @param name the name of the item
 * @returns whether the person has confirmed; `false` if they closed the dialog without an answer
 */
export function confirmUnavailable(
  root: DocumentFragment | HTMLElement,
  name: string,
  texts: Partial<ConfirmTexts>,
): Promise<boolean> {
  // The switch was pressed again while this module was loading. Only one dialog opens.
  if (root.querySelector('dialog:modal') !== null) return Promise.resolve(false);
  // A dialog that was moved in the page with its toggle is no longer modal, and the person cannot answer it.
  root.querySelector('dialog')?.close();
  const { confirmQuestion, confirmYes, confirmNo } = { ...enConfirm, ...texts };
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'question');
  dialog.setAttribute('part', 'question');
  const close = (answer?: 'yes') => () => {
    dialog.close(answer);
  };
  render(
    html`<p id="question">${confirmQuestion(name)}</p>
      <div>
        <button type="button" @click=${close()}>${confirmNo}</button>
        <button type="button" class="yes" @click=${close('yes')}>${confirmYes}</button>
      </div>`,
    dialog,
  );
  root.append(dialog);
  return showModal(dialog);
}

async function showModal(dialog: HTMLDialogElement): Promise<boolean> {
  const closed = new Promise((resolve) => {
    dialog.addEventListener('close', resolve);
  });
  // Escape must close this dialog only, and nothing in the page around it.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  // A modal dialog that is hidden with its surroundings would keep the whole page inert.
  const closeIfHidden = (): void => {
    if (dialog.getClientRects().length === 0) dialog.close();
  };
  dialog.showModal();
  const observer = observeSize([dialog], closeIfHidden);
  // The observer does not report an element that is hidden from the start.
  closeIfHidden();
  await closed;
  observer?.disconnect();
  dialog.remove();
  return dialog.returnValue === 'yes';
}
