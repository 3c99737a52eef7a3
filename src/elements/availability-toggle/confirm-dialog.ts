import { html, render } from 'lit';
import type { ConfirmTexts } from '../../locales/dictionary.js';
import { enConfirm } from '../../locales/en.js';
import { observeSize } from '../shared/other-document.js';

/**
 * Asks before an item goes unavailable.
 *
 * @param root where the dialog is shown
 * @param name of the item
 * @returns whether the answer is yes; a dialog that is closed without an answer is a no
 */
export function confirmUnavailable(
  root: DocumentFragment | HTMLElement,
  name: string,
  texts: Partial<ConfirmTexts>,
): Promise<boolean> {
  // The switch was pressed once more while this file was loaded: one answer counts.
  if (root.querySelector('dialog:modal') !== null) return Promise.resolve(false);
  // A dialog that was moved in the page with its toggle is no longer modal, and cannot be answered.
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
  // Escape closes this dialog and nothing of the page around it.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  // Hidden with what is around it, a modal dialog would keep the whole page out of reach.
  const closeIfHidden = (): void => {
    if (dialog.getClientRects().length === 0) dialog.close();
  };
  dialog.showModal();
  const observer = observeSize([dialog], closeIfHidden);
  // The observer reports nothing of an element that is hidden from the start.
  closeIfHidden();
  await closed;
  observer?.disconnect();
  dialog.remove();
  return dialog.returnValue === 'yes';
}
