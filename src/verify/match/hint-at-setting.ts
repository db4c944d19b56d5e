import { type Hex, parseHex } from '../../values/hex.ts';
import { splitTrailingAuxdata } from './auxdata/auxdata.ts';
import { isAuxdataOf } from './auxdata/auxdata-form.ts';
import type { CompilerIdentity } from './compiled-code.ts';
import type { CodeDifference } from './describe-difference.ts';

/** Two runtime codes that do not match. */
interface UnequalCodes {
  readonly compiler: CompilerIdentity;
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  readonly difference: CodeDifference;
}

/**
 * Tells people where to look first when their contract does not match: one sentence.
 *
 * @see contracts/verification-api.md section 14
 */
export function hintAtSetting(codes: UnequalCodes): string {
  const { compiler, difference } = codes;
  switch (difference.region) {
    case 'library':
      return 'Check the code on chain: it contains two addresses of one library.';
    case 'immutable':
      return 'Check the code on chain: it contains two values of one immutable.';
    default:
      return compiler.language === 'Solidity' ? hintForSolidity(codes) : hintFor(codes);
  }
}

function hintForSolidity(codes: UnequalCodes): string {
  const { compiler, recompiled, onchain } = codes;
  const [ours, theirs] = [metadataOf(compiler, recompiled), metadataOf(compiler, onchain)];
  const release = releaseOf(theirs?.decoded);
  if (release !== null && !compiler.version.startsWith(`${release}+`)) {
    return `Check compilerVersion: the code on chain says that solc ${release} made it.`;
  }
  const [ourBody, theirBody] = [bodyLength(recompiled, ours), bodyLength(onchain, theirs)];
  if (ours?.value.length !== theirs?.value.length && ourBody === theirBody) {
    return 'Check settings.metadata (bytecodeHash, appendCBOR): the code on chain has other metadata.';
  }
  return hintFor(codes);
}

function hintFor({ compiler, recompiled, onchain, difference }: UnequalCodes): string {
  const [ours, theirs] = [usedOpcodes(recompiled), usedOpcodes(onchain)];
  const telling = NEWER_OPCODES.find(([opcode]) => ours.has(opcode) !== theirs.has(opcode));
  if (telling !== undefined) {
    const [opcode, name] = telling;
    const where = theirs.has(opcode) ? 'only the code on chain' : 'only the recompiled code';
    return `Check settings.evmVersion: ${where} uses ${name}.`;
  }
  if (difference.recompiledLength === difference.onchainLength) {
    return 'Check the sources: codes of equal length mostly differ in a constant or a few lines.';
  }
  return compiler.language === 'Vyper'
    ? 'Check compilerVersion, settings.optimize and settings.evmVersion.'
    : 'Check settings.optimizer (enabled, runs), settings.viaIR and settings.evmVersion, then at compilerVersion.';
}

interface Metadata {
  readonly value: Hex;
  readonly decoded: unknown;
}

function metadataOf(compiler: CompilerIdentity, code: Uint8Array): Metadata | null {
  const trailing = splitTrailingAuxdata(code);
  const bytes = trailing === null ? null : parseHex(trailing.value);
  return bytes !== null && isAuxdataOf(compiler, bytes) ? trailing : null;
}

function bodyLength(code: Uint8Array, metadata: Metadata | null): number {
  // The compiler puts one INVALID before its metadata, and none without them.
  return metadata === null ? code.length : code.length - (metadata.value.length / 2 - 1) - 1;
}

/** `0.8.30`, null where the metadata do not say. */
function releaseOf(decoded: unknown): string | null {
  const release: unknown = decoded instanceof Map ? decoded.get('solc') : null;
  return release instanceof Uint8Array ? [...release].join('.') : null;
}

/** Opcodes that came with a version of the EVM. */
const NEWER_OPCODES: readonly (readonly [opcode: number, name: string])[] = [
  [0x5f, 'PUSH0, which came with shanghai'],
  [0x5e, 'MCOPY, which came with cancun'],
];
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const INVALID = 0xfe;

/** Opcodes up to the first INVALID, after which data begin. */
function usedOpcodes(code: Uint8Array): ReadonlySet<number> {
  const used = new Set<number>();
  for (let offset = 0; offset < code.length; offset++) {
    const opcode = code[offset] ?? 0;
    if (opcode === INVALID) break;
    used.add(opcode);
    if (opcode >= PUSH1 && opcode <= PUSH32) offset += opcode - PUSH1 + 1;
  }
  return used;
}
