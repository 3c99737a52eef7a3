import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import '../../../src/index.js';
import { nothing } from 'lit';

/** What a native checkbox and a plain toggle have in common for a page. */
type Control = Pick<
  HTMLInputElement,
  | 'checked'
  | 'defaultChecked'
  | 'disabled'
  | 'required'
  | 'name'
  | 'value'
  | 'type'
  | 'form'
  | 'validity'
  | 'validationMessage'
  | 'willValidate'
  | 'checkValidity'
  | 'reportValidity'
  | 'setCustomValidity'
> &
  HTMLElement & { readonly labels: NodeList | null };

interface Page {
  readonly form: HTMLFormElement;
  readonly fieldset: HTMLFieldSetElement;
  readonly label: HTMLLabelElement;
  readonly other: HTMLInputElement;
  readonly control: Control;
  /** Everything that the form hears from it, with the value that was seen then. */
  readonly heard: string[];
}

type Attributes = Readonly<Record<string, string>>;

/** The act, and what it made: the same for both. */
interface Row {
  readonly attributes?: Attributes;
  readonly act: (page: Page) => unknown;
}

const sent = ({ form }: Page): unknown => [...new FormData(form)];

const ROWS: Readonly<Record<string, Row>> = {
  'starts off': { act: ({ control }) => [control.checked, control.defaultChecked, control.type] },
  'starts as its attribute says': {
    attributes: { checked: '' },
    act: ({ control }) => [control.checked, control.defaultChecked],
  },
  'is set by a script without a word, and without touching its attribute': {
    act: ({ control, heard }) => {
      control.checked = true;
      return [control.checked, control.hasAttribute('checked'), control.defaultChecked, heard];
    },
  },
  'follows its attribute until somebody has set it': {
    act: ({ control }) => {
      const seen: boolean[] = [];
      control.setAttribute('checked', '');
      seen.push(control.checked);
      control.removeAttribute('checked');
      seen.push(control.checked);
      control.checked = false;
      control.setAttribute('checked', '');
      seen.push(control.checked);
      return seen;
    },
  },
  'goes back to its attribute on a reset, and follows it again': {
    attributes: { checked: '' },
    act: ({ control, form }) => {
      control.click();
      form.reset();
      const seen = [control.checked];
      control.defaultChecked = false;
      seen.push(control.checked);
      return seen;
    },
  },
  'sends nothing while it is off': { act: (page) => sent(page) },
  'sends on while it is on and has no value': { attributes: { checked: '' }, act: (page) => sent(page) },
  'sends its value': { attributes: { checked: '', value: 'yes' }, act: (page) => [page.control.value, sent(page)] },
  'sends what it is now, at once': {
    act: (page) => {
      page.control.checked = true;
      page.control.value = 'later';
      page.control.name = 'other';
      return sent(page);
    },
  },
  'sends nothing when it has no name': {
    attributes: { checked: '' },
    act: (page) => {
      page.control.removeAttribute('name');
      return sent(page);
    },
  },
  'sends nothing when it is out of use': {
    attributes: { checked: '', disabled: '' },
    act: (page) => [page.control.disabled, sent(page), page.control.matches(':disabled')],
  },
  'sends nothing in a fieldset that is out of use': {
    attributes: { checked: '' },
    act: (page) => {
      page.fieldset.disabled = true;
      return [page.control.disabled, page.control.matches(':disabled'), sent(page)];
    },
  },
  'is moved by click(), which says click, input and change': {
    act: ({ control, heard }) => {
      control.click();
      return [control.checked, heard];
    },
  },
  'stays where it was when the click is refused, and says no more': {
    act: ({ control, form, heard }) => {
      form.addEventListener('click', (event) => {
        event.preventDefault();
      });
      control.click();
      return [control.checked, heard];
    },
  },
  'is moved by a click that a script made': {
    act: ({ control, heard }) => {
      control.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
      return [control.checked, heard];
    },
  },
  'does nothing on click() while it is out of use': {
    attributes: { disabled: '' },
    act: ({ control, heard }) => {
      control.click();
      return [control.checked, heard];
    },
  },
  'does nothing on click() in a fieldset that is out of use': {
    act: ({ control, fieldset, heard }) => {
      fieldset.disabled = true;
      control.click();
      return [control.checked, heard];
    },
  },
  'is put out of use and back by a script, at once': {
    act: ({ control }) => {
      control.disabled = true;
      control.click();
      const seen = [control.checked];
      control.disabled = false;
      control.click();
      return [...seen, control.checked];
    },
  },
  'is moved by its label, once': {
    act: ({ control, label, heard }) => {
      label.click();
      return [control.checked, heard.filter((told) => !told.startsWith('click'))];
    },
  },
  'knows its label and its form': {
    act: ({ control, form, label }) => [
      control.labels?.length,
      control.labels?.[0] === label,
      control.form === form,
      [...form.elements].includes(control),
    ],
  },
  'belongs to the form that its attribute names': {
    act: (page) => {
      const { control, form } = page;
      form.id = 'the-form';
      form.after(control);
      const alone = control.form === null;
      control.setAttribute('form', 'the-form');
      control.checked = true;
      return [alone, control.form === form, sent(page)];
    },
  },
  'is valid while nothing is required of it': {
    act: ({ control, form }) => [control.willValidate, control.checkValidity(), form.checkValidity()],
  },
  'is missing while it is required and off, in words': {
    attributes: { required: '' },
    act: ({ control, form }) => [
      control.required,
      control.validity.valueMissing,
      control.validity.valid,
      control.validationMessage !== '',
      control.checkValidity(),
      form.checkValidity(),
      control.matches(':invalid'),
    ],
  },
  'is missing no more once it is on, and missing again once it is required and off': {
    act: ({ control }) => {
      const seen: boolean[] = [];
      control.required = true;
      seen.push(control.validity.valid);
      control.click();
      seen.push(control.validity.valid, control.validationMessage === '');
      control.checked = false;
      seen.push(control.validity.valid);
      control.required = false;
      seen.push(control.validity.valid);
      return seen;
    },
  },
  'says invalid when it is asked, and keeps the form from going out': {
    attributes: { required: '' },
    act: ({ control, form }) => {
      const told: string[] = [];
      control.addEventListener('invalid', (event) => {
        told.push(`${event.type} ${String(event.bubbles)} ${String(event.cancelable)}`);
      });
      form.addEventListener('submit', (event) => {
        told.push('submit');
        event.preventDefault();
      });
      form.requestSubmit();
      control.click();
      form.requestSubmit();
      return told;
    },
  },
  'is as invalid as the page says, in the words of the page': {
    act: ({ control }) => {
      control.setCustomValidity('Ask the harbour first.');
      const seen: unknown[] = [control.validity.customError, control.validationMessage, control.checkValidity()];
      control.setCustomValidity('');
      return [...seen, control.checkValidity(), control.validationMessage];
    },
  },
  'is not asked while it is out of use': {
    attributes: { required: '', disabled: '' },
    act: ({ control, form }) => [control.willValidate, control.checkValidity(), form.checkValidity()],
  },
  'takes the focus, and gives it': {
    act: ({ control }) => {
      control.focus();
      const seen = [document.activeElement === control, control.matches(':focus')];
      control.blur();
      return [...seen, document.activeElement === control];
    },
  },
  'takes no focus while it is out of use': {
    attributes: { disabled: '' },
    act: ({ control }) => {
      control.focus();
      return document.activeElement === control;
    },
  },
  'is reached by the tab key': {
    act: async ({ control, other }) => {
      other.focus();
      await sendKeys({ press: 'Tab' });
      return document.activeElement === control;
    },
  },
  'is moved by the space bar, when that is let go': {
    act: async ({ control, heard }) => {
      control.focus();
      await sendKeys({ down: ' ' });
      const before = control.checked;
      await sendKeys({ up: ' ' });
      return [before, control.checked, heard];
    },
  },
  'is moved by the mouse': {
    act: async ({ control, heard }) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      await sendMouse({ type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
      return [control.checked, heard, document.activeElement === control];
    },
  },
  'is moved by a mouse on its label, once': {
    act: async ({ control, label, heard }) => {
      const { left, top, width, height } = label.getBoundingClientRect();
      await sendMouse({ type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
      return [control.checked, heard.filter((told) => !told.startsWith('click'))];
    },
  },
  'is left alone by the mouse while it is out of use': {
    attributes: { disabled: '' },
    act: async ({ control, heard }) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      await sendMouse({ type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
      return [control.checked, heard];
    },
  },
  'keeps its internals to itself': {
    act: ({ control }) => {
      try {
        return control.attachInternals();
      } catch (error) {
        return error instanceof DOMException && error.name;
      }
    },
  },
  'keeps its value when it moves in the page': {
    act: (page) => {
      page.control.checked = true;
      page.form.prepend(page.control);
      return [page.control.checked, sent(page)];
    },
  },
};

async function open(tag: 'input' | 'availability-toggle', attributes: Attributes = {}): Promise<Page> {
  const form = await fixture<HTMLFormElement>(
    html`<form @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <input />
        <label for="control">Open today</label>
        ${
          tag === 'input'
            ? html`<input type="checkbox" id="control" name="open" />`
            : html`<availability-toggle id="control" name="open">${nothing}</availability-toggle>`
        }
      </fieldset>
    </form>`,
  );
  const [other, label, control] = form.querySelectorAll('input, label, #control') as unknown as [
    HTMLInputElement,
    HTMLLabelElement,
    Control,
  ];
  for (const [name, value] of Object.entries(attributes)) control.setAttribute(name, value);
  await Promise.resolve();
  const heard: string[] = [];
  for (const type of ['click', 'input', 'change']) {
    form.addEventListener(type, (event) => {
      if (event.target === control) heard.push(`${type} ${String(control.checked)} ${String(event.bubbles)}`);
    });
  }
  const fieldset = form.querySelector('fieldset') as HTMLFieldSetElement;
  return { form, fieldset, label, other, control, heard };
}

describe('like a native checkbox, a toggle', () => {
  for (const [name, { attributes, act }] of Object.entries(ROWS)) {
    it(name, async () => {
      const page = await open('input', attributes);
      const native = await act(page);
      page.form.parentElement?.replaceChildren();

      const ours = await act(await open('availability-toggle', attributes));

      expect(ours).to.deep.equal(native);
    });
  }
});

describe('unlike a native checkbox, a toggle', () => {
  const press = async (tag: 'input' | 'availability-toggle'): Promise<boolean> => {
    const { control } = await open(tag);
    control.focus();
    await sendKeys({ press: 'Enter' });
    return control.checked;
  };

  it('is switched by Enter, which a checkbox leaves to its form', async () => {
    expect([await press('input'), await press('availability-toggle')]).to.deep.equal([false, true]);
  });

  it('is off after cloning unless its attribute is set, whereas a checkbox copies its value', async () => {
    const clone = async (tag: 'input' | 'availability-toggle'): Promise<boolean> => {
      const { control } = await open(tag);
      control.checked = true;
      return (control.cloneNode(true) as Control).checked;
    };

    expect([await clone('input'), await clone('availability-toggle')]).to.deep.equal([true, false]);
  });

  it('may be readonly: it can be focused and is submitted, and cannot be switched', async () => {
    const page = await open('availability-toggle', { readonly: '', checked: '' });
    page.control.focus();

    page.control.click();
    await sendKeys({ press: ' ' });
    await sendKeys({ press: 'Enter' });

    expect([page.control.checked, sent(page), document.activeElement === page.control]).to.deep.equal([
      true,
      [['open', 'on']],
      true,
    ]);
    expect(page.heard.filter((told) => !told.startsWith('click'))).to.deep.equal([]);
  });
});
