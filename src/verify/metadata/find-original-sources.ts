import { bareHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { isJsonObject } from '../json-object.ts';
import { ipfsMultihash } from './ipfs-hash.ts';
import { LINE_ENDING_VARIATIONS } from './line-endings.ts';
import { base58, contentHash, type MetadataHash } from './metadata-hash.ts';
import { type SwarmVersion, swarmHash } from './swarm-hash.ts';

/** A compilation whose metadata hash is not the one on chain. */
export interface OriginalSearch {
  /** Metadata exactly as the compiler printed it. */
  readonly metadata: string;
  /** Content of every source of the input, by path. */
  readonly contents: Readonly<Record<string, string>>;
  /** Hash that the compiler put into the code. */
  readonly compiled: MetadataHash;
  /** Hash that the code on chain carries. */
  readonly wanted: MetadataHash;
}

/** Contents that give the wanted metadata hash. */
export interface OriginalSources {
  readonly contents: Readonly<Record<string, string>>;
  /** Name of the variation. */
  readonly variation: string;
}

/**
 * Looks for the line ends with which the sources have the metadata hash on chain; all sources change together.
 *
 * Slow for large sources, so not for the main thread.
 *
 * @returns null when no variation fits, or the metadata are not understood: their own hash is computed first.
 * @see contracts/verification-engine.md section 9.3
 */
export function findOriginalSources({
  metadata,
  contents,
  compiled,
  wanted,
}: OriginalSearch): OriginalSources | null {
  if (compiled.kind !== wanted.kind || hashOf(compiled, metadata) !== compiled.hash) return null;
  const template = readMetadataTemplate(metadata, contents);
  if (template === null) return null;
  for (const { name, apply } of LINE_ENDING_VARIATIONS) {
    const varied = Object.fromEntries(
      Object.entries(contents).map(([path, text]): [string, string] => [path, apply(text)]),
    );
    if (template.paths.every((path) => varied[path] === contents[path])) continue;
    const printed = template.print(varied);
    if (hashOf(wanted, printed) === wanted.hash) return { contents: varied, variation: name };
  }
  return null;
}

function hashOf({ kind }: MetadataHash, text: string): string {
  return contentHash(kind, Buffer.from(text, 'utf8'));
}

/** Prints a text that metadata hold about one source. */
type PrintPart = (content: Uint8Array, text: string) => string;

const printKeccak: PrintPart = (content) => `0x${bareHex(keccak256(content))}`;
const printIpfs: PrintPart = (content) => `dweb:/ipfs/${base58(ipfsMultihash(content))}`;
const printSwarm =
  (prefix: string, version: SwarmVersion): PrintPart =>
  (content) =>
    `${prefix}${bareHex(swarmHash(content, version))}`;

/** The compiler changed the hash before it changed the prefix, so both are tried. */
const PRINTED_URLS: readonly PrintPart[] = [
  printIpfs,
  printSwarm('bzz-raw://', 'bzzr1'),
  printSwarm('bzz-raw://', 'bzzr0'),
  printSwarm('bzzr://', 'bzzr0'),
];

/**
 * Prepares metadata to be printed for other contents.
 *
 * The text is not printed anew: only what depends on the contents is replaced, so key order and escapes stay
 * those of the compiler.
 *
 * @param contents the sources that gave this metadata
 * @returns null when the metadata do not describe these contents or hold something about them that is unknown.
 */
function readMetadataTemplate(text: string, contents: Readonly<Record<string, string>>) {
  const metadata: unknown = JSON.parse(text);
  const sources = isJsonObject(metadata) ? metadata['sources'] : undefined;
  if (!isJsonObject(sources)) return null;
  const places: { readonly path: string; readonly printed: string; readonly print: PrintPart }[] = [];
  for (const [path, source] of Object.entries(sources)) {
    const content = Object.hasOwn(contents, path) ? contents[path] : undefined;
    if (content === undefined || !isJsonObject(source)) return null;
    const parts = readParts(source, content);
    if (parts === null || parts.some(({ printed }) => !text.includes(printed))) return null;
    places.push(...parts.map((part) => ({ path, ...part })));
  }
  return {
    paths: Object.keys(sources),
    print(others: Readonly<Record<string, string>>): string {
      let result = text;
      for (const { path, printed, print } of places) {
        const other = others[path] ?? '';
        const replacement = print(Buffer.from(other, 'utf8'), other);
        result = result.replaceAll(printed, () => replacement);
      }
      return result;
    },
  };
}

interface Part {
  readonly printed: string;
  readonly print: PrintPart;
}

function readParts(source: Readonly<Record<string, unknown>>, text: string): readonly Part[] | null {
  const content = Buffer.from(text, 'utf8');
  const parts: Part[] = [];
  const add = (printed: unknown, candidates: readonly PrintPart[]): boolean => {
    const print = candidates.find((candidate) => candidate(content, text) === printed);
    if (print !== undefined) parts.push({ printed: String(printed), print });
    return print !== undefined;
  };
  if (!add(source['keccak256'], [printKeccak])) return null;
  const urls: readonly unknown[] = Array.isArray(source['urls']) ? source['urls'] : [];
  // Before 0.6 the compiler left the IPFS address of sources beyond 256 KiB empty.
  if (!urls.every((url) => url === '' || add(url, PRINTED_URLS))) return null;
  if (source['content'] !== undefined) {
    if (source['content'] !== text) return null;
    add(printJsonText(content, text), [printJsonText]);
  }
  return parts;
}

/** JSON as the compiler prints it: everything beyond ASCII is escaped. */
const printJsonText: PrintPart = (_, text) =>
  JSON.stringify(text).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
