import { html, nothing, type TemplateResult } from 'lit';
import { applyImport, toImportTarget } from '../../../client/lists/apply-import.js';
import { decodeCsv, writeCsv } from '../../../client/lists/csv.js';
import { exportRows } from '../../../client/lists/export-list.js';
import { type ImportLine, type ImportOptions, type ImportPlan, planImport } from '../../../client/lists/import-plan.js';
import type { RowOrder } from '../../../client/editor/editor-types.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import type { EditorContext, DialogsOfEditor, DialogView, ToolsOfEditor } from '../editor-context.js';
import { styles } from './lists.styles.js';

/** The number of lines in the dialog. The file with the results has all lines. */
const MAX_LISTED = 100;

const VERDICTS = ['new', 'changed', 'same', 'refused'] as const;
/** Lines that a person has to check come first. */
const LISTED_FIRST = ['refused', 'new', 'changed'] as const;

/** Safari reads the content of a download some time after the click. */
const UNTIL_SAVED_MS = 60_000;

const ACCEPT = '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain';

/** Keeps keys that are typed into the field from listeners of the host's page. */
function keepKey(event: Event): void {
  event.stopPropagation();
}

/** The dialog that imports and exports lists. It reads a pasted list or a file and previews the effect before the import. */
export class ListsDialog {
  readonly #tools: ToolsOfEditor;
  readonly #text: FeatureDictionary;
  #dialogs: DialogsOfEditor | undefined;
  /** The text of the list to import. */
  #list = '';
  #otherwise: boolean | undefined;
  #plan: ImportPlan | undefined;
  /** The progress of the check, from 0 to 1; `undefined` if none is running. */
  #progress: number | undefined;
  #isUnreadable = false;
  #check: AbortController | undefined;

  constructor(tools: ToolsOfEditor, text: FeatureDictionary) {
    this.#tools = tools;
    this.#text = text;
  }

  open(dialogs: DialogsOfEditor): void {
    const { root } = this.#tools.context;
    if (styles.styleSheet && !root.adoptedStyleSheets.includes(styles.styleSheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet];
    this.#dialogs = dialogs;
    dialogs.show(
      () => this.#render(),
      () => this.#check?.abort(),
    );
  }

  readonly #onInput = (event: Event): void => {
    const field = event.target as HTMLTextAreaElement;
    this.#isUnreadable = false;
    const file = field.closest('dialog')?.querySelector<HTMLInputElement>('input[type=file]');
    if (file) file.value = '';
    this.#readList(field.value);
  };

  readonly #onFile = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file === undefined) return;
    const field = input.closest('dialog')?.querySelector('textarea');
    if (field) field.value = '';
    let list = '';
    this.#isUnreadable = false;
    try {
      list = decodeCsv(new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      // The file was moved or changed after the person chose it.
      if (!(error instanceof DOMException)) throw error;
      this.#isUnreadable = true;
    }
    this.#readList(list);
  };

  readonly #onOtherwise = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.#otherwise = value === '' ? undefined : value === 'yes';
    this.#checkList();
  };

  /** Reads another list. It cancels the check of the list before. */
  #readList(list: string): void {
    this.#stop();
    this.#list = list;
    this.#checkList();
  }

  /** Checks the list. The former result stays until this check has ended, because the keyboard focus may be in it. */
  #checkList(): void {
    const { context } = this.#tools;
    this.#check?.abort();
    const check = (this.#check = new AbortController());
    const plan = planImport(this.#list, toImportTarget(context.table), {
      ...importOptions(context, this.#text),
      otherwise: this.#otherwise,
      signal: check.signal,
      onProgress: (share) => {
        this.#progress = share;
        this.#dialogs?.update();
      },
    });
    void plan.then(
      (done) => {
        if (check.signal.aborted) return;
        this.#plan = done.lines.length > 0 ? done : undefined;
        this.#progress = undefined;
        this.#dialogs?.update();
      },
      (error: unknown) => {
        if (!check.signal.aborted) throw error;
      },
    );
  }

  #stop(): void {
    this.#check?.abort();
    this.#list = '';
    this.#plan = undefined;
    this.#progress = undefined;
  }

  readonly #import = async (): Promise<void> => {
    const { context, draft } = this.#tools;
    const plan = this.#plan;
    if (plan === undefined || context.locked || this.#dialogs?.leave() !== true) return;
    await this.#tools.whenApplied();
    const { added, changed, left } = await applyImport(plan, context.table, draft, context.confirmChange);
    const [first] = plan.lines;
    // Searches for the added item, so that the person sees it. People often add one item after the other.
    if (plan.lines.length === 1 && added === 1) this.#tools.find({ text: first?.id ?? '', filter: 'all' });
    await this.#tools.seen();
    const { verdict, imported } = this.#text;
    context.announce(
      `${imported} ${this.#counts([
        [verdict.new, added],
        [verdict.changed, changed],
        [verdict.refused, plan.counts.refused + left],
      ])}`,
    );
  };

  #counts(counts: readonly (readonly [name: string, count: number])[]): string {
    const { number } = this.#tools.context.text;
    return counts.map(([name, count]) => `${name}: ${number(count)}`).join(' · ');
  }

  #export(order: RowOrder): void {
    saveFile(exportRows(this.#tools.context.table, order), this.#text.fileName);
  }

  readonly #saveVerdicts = (): void => {
    const { verdict: names, fault: faults, fileName } = this.#text;
    const rows = this.#plan?.lines.map(({ line, id, verdict, fault }) => [
      String(line),
      id,
      names[verdict],
      fault === undefined ? '' : String(fault.column),
      fault === undefined ? '' : faults[fault.reason],
    ]);
    saveFile(writeCsv(rows ?? []), `${fileName}-import`);
  };

  #render(): DialogView {
    const { context } = this.#tools;
    const { text, locked } = context;
    const own = this.#text;
    const { counts } = this.#plan ?? {};
    const isUseful = this.#progress === undefined && counts !== undefined && counts.new + counts.changed > 0;
    return {
      title: own.listsTitle,
      body: html`${locked ? html`<p>${text.readOnly}</p>` : this.#renderImport()}${this.#renderExport()}`,
      choices: html`<button type="button" class="plain" @click=${this.#dialogs?.dismiss}>${text.close}</button> ${
          isUseful && !locked
            ? html`<button type="button" class="strong" @click=${this.#import}>
                ${own.import} (${text.number(counts.new + counts.changed)})
              </button>`
            : nothing
        }`,
    };
  }

  #renderImport(): TemplateResult {
    const own = this.#text;
    return html`<div class="import">
      <p>${own.importHint}</p>
      <label
        >${own.paste}
        <textarea
          rows="5"
          autofocus
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          @input=${this.#onInput}
          @keypress=${keepKey}
          @keyup=${keepKey}
        ></textarea>
      </label>
      <label>${own.file} <input type="file" accept=${ACCEPT} @change=${this.#onFile} /></label>
      <div role="status">${this.#renderCheck()}</div>
      ${this.#renderPlan()}
    </div>`;
  }

  #renderCheck(): TemplateResult | typeof nothing {
    const own = this.#text;
    if (this.#isUnreadable) return html`<p>${own.fileUnreadable}</p>`;
    if (this.#progress !== undefined) return html`<p>${own.checking}</p>`;
    if (this.#plan === undefined) return nothing;
    const { counts } = this.#plan;
    return html`<p class="counts">${this.#counts(VERDICTS.map((name) => [own.verdict[name], counts[name]]))}</p>`;
  }

  #renderPlan(): TemplateResult {
    const { text } = this.#tools.context;
    const own = this.#text;
    const checking =
      this.#progress === undefined
        ? nothing
        : html`<div class="checking">
            <progress max="1" .value=${this.#progress} aria-label=${own.checking}></progress>
            <button type="button" class="plain" @click=${this.#onStop}>${text.cancel}</button>
          </div>`;
    if (this.#plan === undefined) return html`${checking}`;
    const { lines, withoutValue } = this.#plan;
    const listed = listedLines(lines);
    return html`${checking}${withoutValue > 0 ? this.#renderOtherwise() : nothing}
      <ul class="listing verdicts">
        ${listed.map((line) => this.#renderLine(line))}
      </ul>
      ${
        lines.length > listed.length
          ? html`<button type="button" class="link" @click=${this.#saveVerdicts}>${own.saveVerdicts}</button>`
          : nothing
      }`;
  }

  readonly #onStop = (): void => {
    this.#stop();
    this.#dialogs?.update();
  };

  #renderOtherwise(): TemplateResult {
    const own = this.#text;
    const option = (value: string, label: string, isChosen: boolean): TemplateResult =>
      html`<option value=${value} ?selected=${isChosen}>${label}</option>`;
    return html`<label
      >${own.otherwise}
      <select @change=${this.#onOtherwise}>
        ${option('', own.otherwiseNothing, this.#otherwise === undefined)}
        ${option('yes', own.otherwiseAvailable, this.#otherwise === true)}
        ${option('no', own.otherwiseUnavailable, this.#otherwise === false)}
      </select>
    </label>`;
  }

  #renderLine({ line, id, available, verdict, fault }: ImportLine): TemplateResult {
    const { text } = this.#tools.context;
    const own = this.#text;
    const at = text.number(line);
    const place = fault === undefined ? own.line(at) : own.lineColumn(at, text.number(fault.column));
    const value = available === undefined ? '' : available ? text.available : text.notAvailable;
    return html`<li data-verdict=${verdict}>
      <small>${place}</small>
      <b><bdi>${id}</bdi></b> ${own.verdict[verdict]}${value === '' ? nothing : html`: ${value}`}
      ${fault === undefined ? nothing : html`<span>${own.fault[fault.reason]}</span>`}
    </li>`;
  }

  #renderExport(): TemplateResult {
    const { context, order } = this.#tools;
    const { text, table } = context;
    const own = this.#text;
    const button = (label: string, rows: RowOrder): TemplateResult =>
      html`<button
        type="button"
        class="plain"
        ?disabled=${rows.length === 0}
        @click=${() => {
          this.#export(rows);
        }}
      >
        ${label} (${text.number(rows.length)})
      </button>`;
    return html`<div class="export">
      <h4>${own.export}</h4>
      ${button(own.exportAll, table.order)}
      ${order.length === table.order.length ? nothing : button(own.exportListed, order)}
    </div>`;
  }
}

/** @param name file name without its extension */
export function saveFile(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, UNTIL_SAVED_MS);
}

/** The options for reading a list in the person's language. */
export function importOptions(
  { text, language }: EditorContext,
  { yes, no, heads }: FeatureDictionary,
): Pick<ImportOptions, 'yes' | 'no' | 'heads' | 'language'> {
  return {
    language,
    yes: [...yes, text.available],
    no: [...no, text.notAvailable],
    heads: { id: [...heads.id, text.id], available: [...heads.available, text.columns.availability] },
  };
}

/** The lines of the preview. Lines that change nothing are left out. */
function listedLines(lines: readonly ImportLine[]): ImportLine[] {
  const listed: ImportLine[] = [];
  for (const wanted of LISTED_FIRST) {
    for (const line of lines) {
      if (listed.length === MAX_LISTED) return listed;
      if (line.verdict === wanted) listed.push(line);
    }
  }
  return listed;
}
