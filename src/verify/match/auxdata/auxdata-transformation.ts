import { type Hex, parseHex, toHex } from '../../../values/hex.ts';
import type { AuxdataPositions, CompilerIdentity } from '../compiled-code.ts';
import { type ReplacedCode, splice, type Transformation } from '../transformations.ts';
import { isAuxdataOf } from './auxdata-form.ts';

const INVALID_OPCODE = 0xfe;

/**
 * Replaces every auxdata by what the chain holds at its place, or removes it when the chain has none.
 *
 * Entries that are equal on both sides are recorded too.
 *
 * @returns null when the chain holds bytes there that no compiler of the language writes as metadata.
 * @see contracts/verification-engine.md section 7.4
 */
export function replaceAuxdata(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  positions: AuxdataPositions,
  compiler: CompilerIdentity,
): ReplacedCode | null {
  let code = Uint8Array.from(recompiled);
  const transformations: Transformation[] = [];
  const values: [string, Hex][] = [];
  const entries = Object.entries(positions).sort(([left], [right]) => Number(left) - Number(right));
  for (const [id, { value, offset }] of entries) {
    const length = parseHex(value)?.length ?? 0;
    const found = onchain.subarray(offset, offset + length);
    if (found.length === 0) {
      if (code[offset - 1] !== INVALID_OPCODE) return null;
      code = splice(code, offset - 1, length + 1, found);
      transformations.push({
        type: 'delete',
        reason: 'cborAuxdata',
        offset: offset - 1,
        length: length + 1,
      });
      continue;
    }
    if (!isAuxdataOf(compiler, found)) return null;
    code = splice(code, offset, length, found);
    const isShorter = found.length < length;
    transformations.push({
      type: 'replace',
      reason: 'cborAuxdata',
      offset,
      id,
      ...(isShorter ? { length } : {}),
    });
    values.push([id, toHex(found)]);
  }
  return { code, transformations, values: { cborAuxdata: Object.fromEntries(values) } };
}
