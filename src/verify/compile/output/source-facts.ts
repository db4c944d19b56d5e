import { bareHex } from '../../../values/hex.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { StandardJson } from '../../standard-json.ts';
import type { Compilation } from '../compiler.ts';

/**
 * Reads the ids that a compiler gave to its sources; old Solidity prints them as texts.
 *
 * @returns null when there are none, as in Solidity below 0.3.6.
 * @see contracts/verification-engine.md section 2.3
 */
export function readSourceIds(sources: unknown): Compilation['sourceIds'] {
  if (!isJsonObject(sources)) return null;
  const ids = Object.entries(sources).map(([path, source]): [string, { readonly id: number }] => [
    path,
    { id: Number(isJsonObject(source) ? source['id'] : Number.NaN) },
  ]);
  return ids.length === 0 || ids.some(([, { id }]) => !Number.isInteger(id)) ? null : Object.fromEntries(ids);
}

/** keccak256 of each source, hex without 0x. Slow in JavaScript, so large inputs are hashed in a worker. */
export function hashSources(input: StandardJson): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input.sources).map(([path, { content }]) => [
      path,
      bareHex(keccak256(Buffer.from(content, 'utf8'))),
    ]),
  );
}

/** The messages of standard JSON output that say why there is no contract; warnings are left out. */
export function errorsOf(output: JsonObject): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(output['errors']) ? output['errors'] : [];
  return messages.filter((message) => isJsonObject(message) && message['severity'] === 'error');
}
