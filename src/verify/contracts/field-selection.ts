import { FIELDS } from '../contract-schemas.ts';
import { invalidParameter } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Members that are always there. */
const MINIMAL = ['match', 'creationMatch', 'runtimeMatch', 'chainId', 'address', 'verifiedAt', 'matchId'];

/** Selected fields: name → selected sub-fields, or `all`. */
type FieldSelection = ReadonlyMap<string, 'all' | ReadonlySet<string>>;

/**
 * Reads the query members `fields` and `omit`.
 *
 * @throws VerifyRequestError `invalid_parameter`
 * @see contracts/verification-api.md section 5.1
 */
export function readFieldSelection(fields: string | undefined, omit: string | undefined): FieldSelection {
  if (fields !== undefined && omit !== undefined) {
    throw invalidParameter('Cannot specify both fields and omit');
  }
  if (omit !== undefined) return withoutFields(omit.split(','));
  if (fields === undefined) return new Map();
  const selectors = fields.split(',');
  if (!selectors.includes('all')) return onlyFields(selectors);
  if (selectors.length > 1) throw invalidParameter("Cannot specify 'all' with other fields");
  return everyField();
}

/** Takes the selected members out of the full record, in the order of that. */
export function selectFields(record: JsonObject, selection: FieldSelection): JsonObject {
  const entries = [...FIELDS.keys()].flatMap((field): [string, unknown][] => {
    const subFields = selection.get(field);
    if (subFields === undefined) return [];
    const value = record[field];
    if (subFields === 'all' || !isJsonObject(value)) return [[field, value]];
    return [[field, Object.fromEntries(Object.entries(value).filter(([name]) => subFields.has(name)))]];
  });
  return Object.fromEntries(entries);
}

function everyField(): Map<string, 'all' | ReadonlySet<string>> {
  return new Map([...FIELDS.keys()].map((field) => [field, 'all']));
}

function onlyFields(selectors: readonly string[]): FieldSelection {
  const selection = new Map<string, 'all' | ReadonlySet<string>>();
  for (const selector of selectors) {
    const { field, subField } = readSelector(selector);
    if (MINIMAL.includes(field)) continue;
    const chosen = selection.get(field);
    if (subField === null) selection.set(field, 'all');
    else if (chosen !== 'all') selection.set(field, new Set([...(chosen ?? []), subField]));
  }
  return selection;
}

function withoutFields(selectors: readonly string[]): FieldSelection {
  const selection = everyField();
  for (const selector of selectors) {
    const { field, subField } = readSelector(selector);
    const chosen = selection.get(field);
    if (chosen === undefined) continue;
    if (subField === null) {
      selection.delete(field);
      continue;
    }
    const rest = new Set(chosen === 'all' ? FIELDS.get(field) : chosen);
    rest.delete(subField);
    if (rest.size === 0) selection.delete(field);
    else selection.set(field, rest);
  }
  return selection;
}

function readSelector(selector: string): { readonly field: string; readonly subField: string | null } {
  const [field = '', subField, ...deeper] = selector.split('.');
  if (deeper.length > 0) {
    throw invalidParameter(`Field selector cannot have more than one level subselectors: ${selector}`);
  }
  const isMinimal = MINIMAL.includes(field) && subField === undefined;
  const subFields = FIELDS.get(field);
  const isKnown = subFields !== undefined && (subField === undefined || subFields.includes(subField));
  if (!isMinimal && !isKnown) throw invalidParameter(`Field selector ${selector} is not a valid field`);
  return { field, subField: subField ?? null };
}
