import type { Hex } from '../../../values/hex.ts';
import type { ContractCreation } from '../../chain/contract-code-source.ts';
import type { Compilation } from '../../compile/compiler.ts';
import type { FoundPositions } from '../../match/auxdata/auxdata-positions.ts';
import type { SideMatches } from '../../match/verify-bytecode.ts';
import type { NamedSettings } from '../../mismatch/metadata-settings.ts';
import type { JobFailure } from '../../model/job-failure.ts';

/** Codes that a finished job shows when it found no match. Null where the job did not get that far. */
export interface JobBytecodes {
  readonly recompiledCreation: Uint8Array | null;
  readonly recompiledRuntime: Uint8Array | null;
  readonly onchainCreation: Uint8Array | null;
  readonly onchainRuntime: Uint8Array | null;
  readonly creationTransactionHash: Hex | null;
  /** Of the compilation; null where its compiler prints no metadata. */
  readonly recompiledSettings: NamedSettings | null;
}

/** A verification with at least one matching side: everything that is stored. */
export interface MatchedVerification {
  readonly kind: 'matched';
  readonly compilation: Compilation;
  /** Library placeholders and immutables are zeros. */
  readonly recompiledCreation: Uint8Array;
  readonly recompiledRuntime: Uint8Array;
  readonly auxdata: FoundPositions;
  readonly matches: SideMatches;
  readonly onchainRuntime: Uint8Array;
  readonly creation: ContractCreation | null;
  /** The main compilation only, milliseconds. */
  readonly compilationMs: number;
}

/** The end of a verification. */
export type VerificationResult =
  | MatchedVerification
  | {
      readonly kind: 'failed';
      readonly failure: JobFailure;
      readonly bytecodes: JobBytecodes;
    };

/** Nothing was fetched or compiled. */
export const NO_BYTECODES: JobBytecodes = {
  recompiledCreation: null,
  recompiledRuntime: null,
  onchainCreation: null,
  onchainRuntime: null,
  creationTransactionHash: null,
  recompiledSettings: null,
};

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
