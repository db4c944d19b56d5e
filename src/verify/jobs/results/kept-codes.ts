import type { JobBytecodes } from './verification-result.ts';

/**
 * What the record of a failed job keeps of each code, bytes; Ethereum allows 49,152 of creation code. Sources can ask for
 * code of any length, and everybody pays for those who read the record.
 *
 * @see https://eips.ethereum.org/EIPS/eip-3860
 */
export const MAX_KEPT_CODE = 65_536;

const CODES = {
  recompiledCreation: 'recompiled creation code',
  recompiledRuntime: 'recompiled runtime code',
  onchainCreation: 'creation code on chain',
  onchainRuntime: 'runtime code on chain',
} as const;

/** What is kept of the codes, and a sentence about each that was cut. */
export function keepCodes(bytecodes: JobBytecodes): {
  readonly bytecodes: JobBytecodes;
  readonly notes: readonly string[];
} {
  const kept = { ...bytecodes };
  const notes: string[] = [];
  for (const [name, words] of Object.entries(CODES) as [keyof typeof CODES, string][]) {
    const code = bytecodes[name];
    if (code === null || code.length <= MAX_KEPT_CODE) continue;
    // A view would take the whole memory along.
    kept[name] = code.slice(0, MAX_KEPT_CODE);
    notes.push(`The ${words} has ${code.length} bytes; this record keeps the first ${MAX_KEPT_CODE}.`);
  }
  return { bytecodes: kept, notes };
}
