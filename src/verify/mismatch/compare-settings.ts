import { decodeCbor } from '../match/auxdata/auxdata.ts';
import { usedOpcodes } from '../match/describe-difference.ts';
import { base58 } from '../metadata/metadata-hash.ts';
import { findMetadata } from './code-regions.ts';

/**
 * Compares what the metadata and the instructions of two codes tell of their compilers.
 *
 * Optimizer and remappings stand in no code; what the metadata hash leads to has them (`metadata-settings.ts`).
 *
 * @returns each setting as the two tell it, null where one does not; `differs` when both tell something, and something else.
 */
export function compareSettings(recompiled: Uint8Array, onchain: Uint8Array) {
  const [ours, theirs] = [readTraits(recompiled), readTraits(onchain)];
  return ours.map(([name, value], index) => {
    const other = theirs[index]?.[1] ?? null;
    return {
      name,
      recompiled: value,
      onchain: other,
      differs: value !== null && other !== null && value !== other,
    };
  });
}

type Trait = readonly [name: string, value: string | null];

function readTraits(code: Uint8Array): readonly Trait[] {
  const last = findMetadata(code).at(-1);
  const isAtEnd = last !== undefined && last.end === code.length;
  const decoded = isAtEnd ? decodeMetadata(code.subarray(last.start, last.end)) : null;
  return [
    ['Compiler version', decoded === null ? null : compilerOf(decoded)],
    ['Metadata', isAtEnd ? hashKind(decoded) : 'none'],
    ['Metadata hash', decoded === null ? null : hashOf(decoded)],
    ['Newest instruction', newestInstruction(code.subarray(0, isAtEnd ? last.start : code.length))],
    ['Length', `${code.length} bytes`],
  ];
}

/** The compiler that metadata of a code name, such as `solc 0.8.30`; null where they name none. */
export function compilerNamedIn(metadata: Uint8Array): string | null {
  return compilerOf(decodeMetadata(metadata));
}

function decodeMetadata(bytes: Uint8Array): unknown {
  // Solidity and Vyper from 0.3.5 on have two length bytes; older Vyper has none.
  return (decodeCbor(bytes.subarray(0, -2)) ?? decodeCbor(bytes))?.value ?? null;
}

function compilerOf(decoded: unknown): string | null {
  if (decoded instanceof Map) {
    const solc: unknown = decoded.get('solc');
    if (solc instanceof Uint8Array) return `solc ${[...solc].join('.')}`;
    if (typeof solc === 'string') return `solc ${solc}`;
    const vyper: unknown = decoded.get('vyper');
    if (Array.isArray(vyper)) return `vyper ${vyper.join('.')}`;
  }
  return Array.isArray(decoded) ? compilerOf(decoded.at(-1)) : null;
}

function hashKind(decoded: unknown): string {
  if (!(decoded instanceof Map)) return 'without a hash';
  const kind = ['ipfs', 'bzzr1', 'bzzr0'].find((key) => decoded.has(key));
  const experimental = decoded.get('experimental') === true ? ', experimental' : '';
  return (kind ?? 'without a hash (bytecodeHash: none)') + experimental;
}

function hashOf(decoded: unknown): string | null {
  if (Array.isArray(decoded) && decoded[0] instanceof Uint8Array)
    return Buffer.from(decoded[0]).toString('hex');
  if (!(decoded instanceof Map)) return null;
  const ipfs: unknown = decoded.get('ipfs');
  if (ipfs instanceof Uint8Array) return base58(ipfs);
  const swarm: unknown = decoded.get('bzzr1') ?? decoded.get('bzzr0');
  return swarm instanceof Uint8Array ? Buffer.from(swarm).toString('hex') : null;
}

/** Instructions that came with a version of the EVM, newest first. */
const NEWER: readonly (readonly [opcode: number, text: string])[] = [
  [0x1e, 'CLZ (osaka)'],
  [0x5e, 'MCOPY (cancun)'],
  [0x5c, 'TLOAD (cancun)'],
  [0x5f, 'PUSH0 (shanghai)'],
  [0x48, 'BASEFEE (london)'],
  [0x46, 'CHAINID (istanbul)'],
  [0x1b, 'SHL (constantinople)'],
];
/** The lowest version of the EVM that the code needs, by its newest instruction; null for none of these. */
function newestInstruction(code: Uint8Array): string | null {
  const used = usedOpcodes(code);
  return NEWER.find(([opcode]) => used.has(opcode))?.[1] ?? null;
}
