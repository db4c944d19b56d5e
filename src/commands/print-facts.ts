import { stringifyExact } from './exact-json.ts';
import type { Invocation } from './invocation.ts';

/** Prints what a command found: as JSON with `--json`, otherwise as text. */
export function printFacts(values: Invocation['values'], facts: unknown, text: () => string): void {
  console.log(values['json'] === true ? stringifyExact(facts, 2) : text());
}
