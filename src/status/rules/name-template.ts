/** What a template of a component's name may name. */
interface NameValues {
  /** Name of the network; null when none is configured. */
  readonly network: string | null;
  /** Version that the network runs, for example `0.66.0`; null when the ledger does not tell. */
  readonly version: string | null;
  /** The name without a template. */
  readonly name: string;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** @see contracts/status.md section 4, Writing components */
const MAX_NAME_LENGTH = 255;
const KNOWN: ReadonlySet<string> = new Set<keyof NameValues>(['network', 'version', 'name']);

/** The names that a template asks for, each once. */
function namesIn(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
}

/** What is wrong with a template, for whoever configures it; null when nothing is. */
export function faultOfTemplate(template: string): string | null {
  const unknown = namesIn(template).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return `"{${unknown}}" is not one of {network}, {version}, {name}`;
  return template.trim() === '' ? 'it is blank' : null;
}

/**
 * The name that a template gives, or null while a value that it asks for is not known.
 *
 * @param template without faults.
 * @see contracts/status.md section 6
 */
export function fillTemplate(template: string, values: NameValues): string | null {
  const known: Readonly<Record<string, string | null>> = { ...values };
  if (namesIn(template).some((name) => (known[name] ?? null) === null)) return null;
  const filled = template.replace(PLACEHOLDER, (_all, name: string) => known[name] ?? '').trim();
  // Half a character would be stored as another one, and the name be mended in every round.
  return [...filled].slice(0, MAX_NAME_LENGTH).join('').trim();
}
