import type { SubmittedForm } from '../model/submitted-form.ts';
import type { PackedOrRefused } from './prepared-body.ts';

/** A body as the clients of older forms send it, whichever way: JSON, a web form or multipart. */
export interface FormBody {
  /** Values by the names as they were sent. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** Files in the order of the body; the parts of a form without a file name are fields. */
  readonly files: readonly FormFile[];
  /** Of a large form, whose sources stayed in the thread that read them. */
  readonly submission?: PackedOrRefused;
  /** Of a large form of the verification page, likewise. */
  readonly entered?: SubmittedForm;
}

/** One file of a multipart body. */
export interface FormFile {
  /** Name of its field. */
  readonly field: string;
  /** Name of the file, a path perhaps. */
  readonly name: string;
  readonly text: string;
}

/** What a request without a body brings. */
export const NO_FORM: FormBody = { fields: new Map(), files: [] };

/** Whether a value is what one of the body parsers made. */
export function isFormBody(value: unknown): value is FormBody {
  return typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map;
}

/** A field as text; numbers count as their digits. Null when it is absent or something else. */
export function fieldText(body: FormBody, name: string): string | null {
  const value = body.fields.get(name);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}
