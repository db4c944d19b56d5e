import { parseHex, toHex } from '../../../values/hex.ts';
import type { AuxdataEntry, AuxdataPositions, CompilerIdentity } from '../compiled-code.ts';
import { isBefore } from '../version-order.ts';
import { decodeCbor } from './auxdata.ts';
import { isAuxdataOf } from './auxdata-form.ts';
import type { CompiledCodes, FoundPositions } from './auxdata-positions.ts';

const BARE_AUXDATA_LENGTH = 11;

/**
 * The auxdata of Vyper, which always ends the code that has it.
 *
 * @see contracts/verification-engine.md section 4.3
 */
export function vyperPositions({ compiler, creation, runtime }: CompiledCodes): FoundPositions {
  const { version } = compiler;
  if (isBefore(version, '0.3.5')) {
    const bare = (code: Uint8Array) => vyperEntry(compiler, code, BARE_AUXDATA_LENGTH);
    return { creation: bare(creation), runtime: bare(runtime) };
  }
  if (isBefore(version, '0.3.10')) {
    const counted = (code: Uint8Array) => vyperEntry(compiler, code, lastTwoBytes(code) + 2);
    return { creation: counted(creation), runtime: counted(runtime) };
  }
  return { creation: vyperEntry(compiler, creation, lastTwoBytes(creation)), runtime: {} };
}

function lastTwoBytes(code: Uint8Array): number {
  return ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
}

function vyperEntry(compiler: CompilerIdentity, code: Uint8Array, length: number): AuxdataPositions {
  const offset = code.length - length;
  if (offset <= 0) return {};
  const value = code.subarray(offset);
  return isAuxdataOf(compiler, value) ? { '1': { value: toHex(value), offset } } : {};
}

/**
 * Size of the immutables that a Vyper creation code announces, from 0.3.10.
 *
 * @returns null for older compilers and when the creation code has no readable auxdata.
 * @see contracts/verification-engine.md section 4.4
 */
export function vyperImmutableSize(version: string, auxdata: AuxdataEntry | undefined): number | null {
  if (isBefore(version, '0.3.10') || auxdata === undefined) return null;
  const bytes = parseHex(auxdata.value);
  const decoded = bytes === null ? undefined : decodeCbor(bytes.subarray(0, -2))?.value;
  if (!Array.isArray(decoded)) return null;
  const size: unknown = decoded.at(-2);
  return typeof size === 'number' && size >= 0 ? size : null;
}
