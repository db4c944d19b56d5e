import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { withoutEnding } from '../../../values/without-ending.ts';

/** The oldest time that the format knows, as every time zone prints it: the bytes depend on the files alone. */
const MTIME = new Date(1980, 0, 1);
const PART_BYTES = 262_144;
const OPTIONS = { mtime: MTIME, mode: 0o100644, forceDosTimestamp: true } as const;

/** A file to be packed; its path may be anything. */
export interface ZippedFile {
  readonly path: string;
  /** As one text, or in pieces that are made as the client reads. */
  readonly content: string | Iterable<string>;
}

/** A zip file of them, as a stream; the same files give the same bytes. */
export function zipFiles(files: readonly ZippedFile[]): Readable {
  const zip = new ZipFile();
  const names = entryNames(files.map(({ path }) => path));
  for (const [index, { content }] of files.entries()) {
    // One after the other as the client reads, and each in parts: nobody else waits for a large file.
    zip.addReadStreamLazy(names[index] ?? '', OPTIONS, (give) => give(null, inParts(content)));
  }
  zip.end();
  return zip.outputStream as Readable;
}

function inParts(content: ZippedFile['content']): Readable {
  if (typeof content !== 'string') return Readable.from(content, { objectMode: false });
  const bytes = Buffer.from(content);
  let from = 0;
  return new Readable({
    highWaterMark: PART_BYTES,
    read() {
      const part = bytes.subarray(from, from + PART_BYTES);
      from += part.length;
      this.push(part.length === 0 ? null : part);
    },
  });
}

/** Names that Windows keeps for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const FORBIDDEN = /[<>:"|?*]|[\p{C}\p{Zl}\p{Zp}]/gu;
const MAX_PART_LENGTH = 120;
const MAX_PARTS = 20;

/**
 * Names under which files of any path can be unpacked on every system: relative, without `..`, none twice in any casing,
 * none that is a folder of another.
 *
 * @returns the names in the order of the paths; the same paths always get the same names.
 */
export function entryNames(paths: readonly string[]): readonly string[] {
  const wanted = paths.map(safeName);
  const taken = new Set(wanted.flatMap(foldersOf));
  // Begun where the last equal name ended: thousands of them take no square of steps.
  const nextNumbers = new Map<string, number>();
  return wanted.map((name) => {
    const folded = fold(name);
    let free = name;
    let number = nextNumbers.get(folded) ?? 2;
    for (; taken.has(fold(free)); number += 1) free = numbered(name, number);
    nextNumbers.set(folded, number);
    taken.add(fold(free));
    return free;
  });
}

function safeName(path: string): string {
  const parts = path
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? '_' : safePart(part)));
  if (parts.length > MAX_PARTS) parts.splice(MAX_PARTS - 1, parts.length - MAX_PARTS);
  return parts.join('/') || '_';
}

function safePart(part: string): string {
  const allowed = part.replace(FORBIDDEN, '_');
  const kept = withoutEnding(allowed, '. ');
  const safe = kept === allowed ? allowed : `${kept}_`;
  const named = DEVICES.test(safe) ? `_${safe}` : safe;
  if (named.length <= MAX_PART_LENGTH) return named;
  const ending = /\.\w{1,8}$/.exec(named)?.[0] ?? '';
  // A pair must not be cut in two.
  return `${named.slice(0, MAX_PART_LENGTH - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`;
}

/** Every folder that the name needs, so that no file takes its place. */
function foldersOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => fold(parts.slice(0, index + 1).join('/')));
}

function numbered(name: string, number: number): string {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.lastIndexOf('.');
  const at = dot > slash ? dot : name.length;
  return `${name.slice(0, at)}-${number}${name.slice(at)}`;
}

/** Two names that some file system takes for one are equal. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
