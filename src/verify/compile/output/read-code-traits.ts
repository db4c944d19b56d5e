import { isJsonObject } from '../../json-object.ts';
import { type CodeTraits, LIBRARY_GUARD } from '../../match/code-traits.ts';

/** Pushes the address at which the code will lie: the first instruction of a library, from 0.4.20. */
const PUSH_OWN_ADDRESS = 'PUSHDEPLOYADDRESS';
const ASSIGN_IMMUTABLE = 'ASSIGNIMMUTABLE';

/**
 * Reads from an assembly of Solidity what the code does not tell.
 *
 * @param legacyAssembly as solc prints it; anything else tells nothing.
 */
export function readCodeTraits(legacyAssembly: unknown): CodeTraits {
  const creation = itemsOf(legacyAssembly);
  const data = isJsonObject(legacyAssembly) ? legacyAssembly['.data'] : null;
  const runtime = itemsOf(isJsonObject(data) ? data['0'] : null);
  const hasCallProtection = runtime[0]?.['name'] === PUSH_OWN_ADDRESS;
  // By way of the IR the constructor of every library assigns it, also where nothing reads it.
  const assignsGuard = creation.some(
    ({ name, value }) => name === ASSIGN_IMMUTABLE && value === LIBRARY_GUARD,
  );
  return { isLibrary: hasCallProtection || assignsGuard, hasCallProtection };
}

interface AssemblyItem {
  readonly name?: unknown;
  readonly value?: unknown;
}

function itemsOf(part: unknown): readonly AssemblyItem[] {
  const code = isJsonObject(part) ? part['.code'] : null;
  return Array.isArray(code) ? code.filter(isJsonObject) : [];
}
