import type { Dictionary } from '../../locales/dictionary.js';
import { enConfirm } from '../../locales/en-confirm.js';
import { css } from '../shared/stylesheet.js';

const styles = css`
  dialog {
    inline-size: min(400px, calc(100% - 32px));
    padding: 20px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
  }

  /* Moved within the page, it stands open and is modal no more. */
  dialog:not(:modal) {
    display: none;
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  dialog p {
    margin: 0 0 16px;
    font-weight: 550;
    overflow-wrap: anywhere;
  }

  dialog div {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 8px;
  }

  dialog button {
    min-block-size: 44px;
    padding: 4px 18px;
    border: 1px solid var(--_track-off);
    border-radius: 99px;
    background: none;
    font-size: 15px;
  }

  dialog .yes {
    border-color: var(--_attention);
    color: var(--_attention);
  }
`;

/** A toggle that names itself for who cannot see it. The rest says whose item it is. */
interface Asked {
  readonly item?: string | null | undefined;
  readonly proxy?: string | null | undefined;
  readonly session?: string | null | undefined;
  readonly getSession?: unknown;
  readonly renderRoot: ShadowRoot;
  draw(): void;
}

/** Asks before an item goes unavailable. Leaving the question unanswered is a no. */
export function askToConfirm(toggle: Asked, texts: Partial<Dictionary>): Promise<boolean> {
  const root = toggle.renderRoot;
  // Pressed once more while this was loaded: one answer counts.
  if (root.querySelector('dialog:modal') !== null) return Promise.resolve(false);
  // One that was moved with its toggle, and nobody can answer any more.
  root.querySelector('dialog')?.close();
  const whose = (): unknown[] => [toggle.item, toggle.proxy, toggle.getSession, toggle.session];
  const before = whose();
  const { confirmQuestion, confirmYes, confirmNo } = { ...enConfirm, ...texts };
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets.push(styles);
  const make = <Tag extends 'dialog' | 'p' | 'div' | 'button'>(
    tag: Tag,
    ...children: (string | Node)[]
  ): HTMLElementTagNameMap[Tag] => {
    const element = document.createElement(tag);
    element.append(...children);
    return element;
  };
  // A framework may have put another text on it since, and nothing tells of that.
  toggle.draw();
  const name = root.firstElementChild?.ariaLabel ?? '';
  const [no, yes] = [make('button', confirmNo), make('button', confirmYes)];
  yes.className = 'yes';
  const question = make('p', confirmQuestion(name));
  question.id = 'question';
  const dialog = make('dialog', question, make('div', no, yes));
  dialog.setAttribute('aria-labelledby', 'question');
  dialog.setAttribute('part', 'question');
  return new Promise((resolve) => {
    yes.type = no.type = 'button';
    yes.addEventListener('click', () => {
      dialog.close('yes');
    });
    no.addEventListener('click', () => {
      dialog.close();
    });
    // Its keys are its own: Escape closes no more than it.
    dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
    });
    // Hidden with what is around it, it would keep the whole page out of reach.
    const hidden = new ResizeObserver(() => {
      if (dialog.getClientRects().length === 0) dialog.close();
    });
    dialog.addEventListener('close', () => {
      hidden.disconnect();
      dialog.remove();
      // The page may have given it another item since, which nobody has asked about.
      resolve(dialog.returnValue === 'yes' && whose().every((part, at) => before[at] === part));
    });
    root.append(dialog);
    dialog.showModal();
    hidden.observe(dialog);
    // Of what is hidden from the first no size is told.
    if (dialog.getClientRects().length === 0) dialog.close();
  });
}
