import type { FormBody } from '../bodies/form-body.ts';
import type { EnteredVerification } from '../model/entered-verification.ts';
import { MOST_PASTED } from './read-single-sources.ts';

/** What a form shows again, all fields together. Characters. */
const MOST_KEPT = 1_048_576;

/** Files that come back as text, since no page may fill a field for files. */
const TEXT_FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['standardJsonFile', 'standardJson'],
  ['metadataFile', 'metadata'],
]);

/** The texts of a form, to show them again beside what is wrong; files become pasted texts. */
export function keptValues({ fields, files }: FormBody): Pick<EnteredVerification, 'values' | 'isCut'> {
  const values = new Map<string, string>();
  let room = MOST_KEPT;
  let isCut = false;
  const keep = (name: string, text: string): boolean => {
    if (text.length > room) {
      isCut = true;
      return false;
    }
    room -= text.length;
    values.set(name, text);
    return true;
  };
  for (const [name, value] of fields) if (typeof value === 'string') keep(name, value);
  let slot = 0;
  for (const { field, name, text } of files) {
    if (name === '') continue;
    const single = TEXT_FIELD_OF.get(field);
    if (single !== undefined) {
      keep(single, text);
      continue;
    }
    while (slot < MOST_PASTED && (values.get(`source${slot}`) ?? '').trim() !== '') slot += 1;
    if (slot === MOST_PASTED) isCut = true;
    else if (keep(`source${slot}`, text)) keep(`sourceName${slot}`, name);
  }
  return { values: Object.fromEntries(values), isCut };
}
