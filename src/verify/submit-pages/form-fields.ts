import { type Html, html, type Shown } from '../../pages/html.ts';
import type { EnteredVerification, FieldFault } from '../model/entered-verification.ts';

/** What a form shows again. */
export interface FormState {
  readonly values: EnteredVerification['values'];
  readonly faults: readonly FieldFault[];
}

/** What stands around the control of a field. */
interface FieldText {
  readonly name: string;
  readonly label: string;
  /** One sentence below the label; null for none. */
  readonly hint?: Shown;
}

/** A label with its control, hint and fault, tied together for screen readers. */
function field(
  { faults }: FormState,
  { name, label, hint = null }: FieldText,
  control: (attributes: Html) => Html,
): Html {
  const own = faults.filter((fault) => fault.field === name);
  const describedBy = [
    ...(hint === null ? [] : [`${name}-hint`]),
    ...(own.length === 0 ? [] : [`${name}-fault`]),
  ].join(' ');
  const attributes = html`id="${name}" name="${name}"${
    describedBy === '' ? null : html` aria-describedby="${describedBy}"`
  }${own.length === 0 ? null : html` aria-invalid="true"`}`;
  return html`<div class="field${own.length === 0 ? '' : ' faulty'}">
<label for="${name}">${label}</label>
${hint === null ? null : html`<p class="hint small muted" id="${name}-hint">${hint}</p>`}
${own.length === 0 ? null : html`<p class="fault" id="${name}-fault">${own.map(({ text }) => text).join(' ')}</p>`}
${control(attributes)}
</div>`;
}

/** A field of one line. @param more further attributes. */
export function textField(state: FormState, text: FieldText, more: Html | null = null): Html {
  return field(
    state,
    text,
    (attributes) => html`<input ${attributes} value="${state.values[text.name] ?? ''}"${more}>`,
  );
}

/** A field of many lines. A line feed after the start tag would be lost if it were not there twice. */
export function areaField(state: FormState, text: FieldText, rows: number): Html {
  return field(
    state,
    text,
    (attributes) =>
      html`<textarea ${attributes} rows="${rows}" spellcheck="false" autocomplete="off">
${state.values[text.name] ?? ''}</textarea>`,
  );
}

/** A field for files. @param accept endings, such as `.json`. */
export function fileField(state: FormState, text: FieldText, accept: string, isMultiple = false): Html {
  return field(
    state,
    text,
    (attributes) =>
      html`<input type="file" ${attributes} accept="${accept}"${isMultiple ? html` multiple` : null}>`,
  );
}

/** A list to choose from; the values and what is shown for each. */
export function selectField(
  state: FormState,
  text: FieldText,
  options: readonly (readonly [value: string, shown: string])[],
): Html {
  const chosen = state.values[text.name] ?? options[0]?.[0];
  return field(
    state,
    text,
    (attributes) =>
      html`<select ${attributes}>
${options.map(([value, shown]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${shown}</option>`)}
</select>`,
  );
}

/** A box to tick. */
export function checkField({ values }: FormState, { name, label }: FieldText): Html {
  return html`<label class="check" for="${name}"><input type="checkbox" id="${name}" name="${name}"${
    values[name] === undefined ? null : html` checked`
  }> ${label}</label>`;
}

/** What is wrong with a form, with links to its fields; null when nothing is. */
export function faultSummary({ faults }: FormState): Html | null {
  if (faults.length === 0) return null;
  return html`<div class="card is-major faults" role="alert" tabindex="-1" id="faults">
<h2>Not submitted yet</h2>
<ul>
${faults.map(({ field: name, text }) => html`<li>${name === null ? text : html`<a href="#${name}">${text}</a>`}</li>`)}
</ul>
</div>`;
}
