import { createHash } from 'node:crypto';
import type { Clock } from '../../values/clock.ts';
import { timeLimit } from '../../values/time-limit.ts';
import { isJsonObject, parseJsonObject } from '../json-object.ts';
import { decodeCbor } from '../match/auxdata/auxdata.ts';
import { base58, contentHash, readMetadataHash } from '../metadata/metadata-hash.ts';
import type { SourceGateway } from '../metadata/source-gateway.ts';
import { findMetadata } from './code-regions.ts';

/** Settings of a compilation in words, in the order in which they are shown. */
export type NamedSettings = readonly (readonly [name: string, value: string])[];

const MAX_VALUE_LENGTH = 500;
const HASH_DIGITS = 16;

/**
 * What metadata say of the settings that change code, each with its default where it is not written.
 *
 * @param metadata as the compiler printed them
 * @returns null when these are no metadata of solc.
 */
export function settingsOfMetadata(metadata: string): NamedSettings | null {
  const document = parseJsonObject(metadata);
  const { compiler, settings, sources } = document ?? {};
  if (!isJsonObject(settings) || !isJsonObject(compiler) || !isJsonObject(sources)) return null;
  const {
    compilationTarget,
    debug,
    evmVersion,
    libraries,
    metadata: own,
    optimizer,
    remappings,
    viaIR,
  } = settings;
  const { details, enabled, runs } = isJsonObject(optimizer) ? optimizer : {};
  const { appendCBOR, bytecodeHash, useLiteralContent } = isJsonObject(own) ? own : {};
  const isOptimized = enabled === true;
  const named: readonly (readonly [string, unknown])[] = [
    ['Compiler', compiler['version']],
    ['EVM version', evmVersion],
    ['Optimizer', isOptimized ? 'on' : 'off'],
    ['Runs', isOptimized ? (runs ?? 200) : null],
    ['Optimizer details', details],
    ['Through the IR pipeline', viaIR === true ? 'yes' : 'no'],
    ['Remappings', Array.isArray(remappings) && remappings.length > 0 ? remappings.join(', ') : null],
    ['Libraries', isJsonObject(libraries) ? assignments(libraries) : null],
    ['Metadata hash', bytecodeHash ?? 'ipfs'],
    ['Metadata at the end', appendCBOR === false ? 'no' : 'yes'],
    ['Sources in the metadata', useLiteralContent === true ? 'as text' : 'by hash'],
    ['Revert strings', isJsonObject(debug) ? debug['revertStrings'] : null],
    ['Contract', isJsonObject(compilationTarget) ? Object.entries(compilationTarget)[0]?.join(':') : null],
    ['Sources', Object.keys(sources).sort().join(', ')],
  ];
  return named.flatMap(([name, value]): NamedSettings => {
    const text = value === null || value === undefined || value === '' ? null : print(value);
    return text === null ? [] : [[name, text]];
  });
}

/** The settings of both in one list, null where one does not apply; those that agree are in it too. */
export function settingsOfBoth(submitted: NamedSettings, original: NamedSettings) {
  const [ours, theirs] = [new Map(submitted), new Map(original)];
  const names = new Set([...theirs.keys(), ...ours.keys()]);
  return [...names].map((name) => ({
    name,
    submitted: ours.get(name) ?? null,
    original: theirs.get(name) ?? null,
  }));
}

function assignments(values: Readonly<Record<string, unknown>>): string {
  const each = Object.entries(values).map(([name, value]) => `${name} = ${String(value)}`);
  return each.sort().join(', ');
}

/** A long value ends in the hash of the whole, so that two of them are the same only when their texts are. */
function print(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
  return `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length} characters, SHA-256 ${hash}…)`;
}

/** The settings of the metadata that a code on chain names, or why they are not there. */
export type OriginalSettings =
  | { readonly kind: 'found'; readonly settings: NamedSettings }
  /** `unnamed`: the code names none that IPFS knows. `not-asked`: no gateway is configured. `missing`: it has none. */
  | { readonly kind: 'unnamed' | 'not-asked' | 'missing' };

/** Finds the settings that a code was compiled with, by the hash of the metadata in it. */
export type FindOriginalSettings = (onchainRuntime: Uint8Array) => Promise<OriginalSettings>;

/** People wait for the page. */
const MAX_WAIT_MS = 3_000;
/** Somebody may publish them later. */
const MISSING_FOR_MS = 600_000;
const MAX_KEPT = 200;

/**
 * Asks the gateway for the metadata of a code, at most once for each hash at a time, and keeps what they say of settings.
 *
 * Bytes that do not have the hash are as good as none, as are metadata of another form.
 */
export function createFindOriginalSettings(
  gateway: SourceGateway | null,
  clock: Clock,
): FindOriginalSettings {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<OriginalSettings> }>();

  async function ask(own: SourceGateway, cid: string, hash: string): Promise<OriginalSettings> {
    const listed = { m: { keccak256: '', urls: [`dweb:/ipfs/${cid}`] } };
    try {
      const { m } = await own.fetch(listed, timeLimit(MAX_WAIT_MS).signal);
      const isRight = m !== undefined && contentHash('ipfs', Buffer.from(m, 'utf8')) === hash;
      const settings = isRight ? settingsOfMetadata(m) : null;
      return settings === null ? { kind: 'missing' } : { kind: 'found', settings };
    } catch {
      // The wait was too long.
      return { kind: 'missing' };
    }
  }

  return async (onchainRuntime) => {
    const hash = ipfsHashOf(onchainRuntime);
    if (hash === null) return { kind: 'unnamed' };
    if (gateway === null) return { kind: 'not-asked' };
    const now = clock.now();
    const known = kept.get(hash);
    if (known !== undefined && (now - known.at < MISSING_FOR_MS || (await known.answer).kind === 'found'))
      return known.answer;
    const answer = ask(gateway, base58(Buffer.from(hash, 'hex')), hash);
    kept.delete(hash);
    kept.set(hash, { at: now, answer });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return answer;
  };
}

/** The multihash at the end of a code, hex; null when it has none. */
function ipfsHashOf(code: Uint8Array): string | null {
  const last = findMetadata(code).at(-1);
  if (last === undefined || last.end !== code.length) return null;
  const decoded = decodeCbor(code.subarray(last.start, last.end - 2))?.value;
  const found = readMetadataHash(decoded);
  return found?.kind === 'ipfs' ? found.hash : null;
}
