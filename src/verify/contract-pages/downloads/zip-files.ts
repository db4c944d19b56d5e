import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Turns } from '../../../threads/turns.ts';
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
export async function zipFiles(files: readonly ZippedFile[]): Promise<Readable> {
  const zip = new ZipFile();
  const turns = new Turns();
  const names = await entryNames(
    files.map(({ path }) => path),
    turns,
  );
  for (const [index, { content }] of files.entries()) {
    await turns.spend(ENTRY_UNITS);
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
/** Of a longer path the beginning and the end are looked at, which are as long as any name. */
const MAX_PATH_LENGTH = 2 * MAX_PARTS * (MAX_PART_LENGTH + 1);
/** Microseconds that an entry takes, and a part of a path, and how many characters take one. */
const [ENTRY_UNITS, PART_UNITS, CHARACTERS_IN_A_UNIT] = [20, 3, 20];

/**
 * Names under which files of any path can be unpacked on every system: relative, without `..`, none twice in any casing,
 * none that is a folder of another. Others have their turn meanwhile.
 *
 * @returns the names in the order of the paths; the same paths always get the same names.
 */
export async function entryNames(paths: readonly string[], turns = new Turns()): Promise<readonly string[]> {
  /** Numbers of files and folders, by that of their folder and their own name: a path is looked at once. */
  const taken = new Map<string, number>();
  const numberOf = (key: string): number => {
    const number = taken.get(key) ?? taken.size + 1;
    taken.set(key, number);
    return number;
  };
  const wanted: { readonly folder: string; readonly folderNumber: number; readonly name: string }[] = [];
  for (const path of paths) {
    const parts = safeParts(path);
    await turns.spend(
      PART_UNITS * parts.length + Math.min(path.length, MAX_PATH_LENGTH) / CHARACTERS_IN_A_UNIT,
    );
    const name = parts.pop() ?? '_';
    const folderNumber = parts.reduce((number, part) => numberOf(`${number}/${fold(part)}`), 0);
    wanted.push({ folder: parts.map((part) => `${part}/`).join(''), folderNumber, name });
  }
  // Begun where the last equal name ended: thousands of them take no square of steps.
  const nextNumbers = new Map<string, number>();
  const names: string[] = [];
  for (const { folder, folderNumber, name } of wanted) {
    await turns.spend(1);
    const keyOf = (each: string) => `${folderNumber}/${fold(each)}`;
    const key = keyOf(name);
    let free = name;
    let number = nextNumbers.get(key) ?? 2;
    for (; taken.has(keyOf(free)); number += 1) free = numbered(name, number);
    nextNumbers.set(key, number);
    numberOf(keyOf(free));
    names.push(folder + free);
  }
  return names;
}

function safeParts(path: string): string[] {
  const half = MAX_PATH_LENGTH / 2;
  const short = path.length <= MAX_PATH_LENGTH ? path : path.slice(0, half) + path.slice(-half);
  const parts = short
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? '_' : safePart(part)));
  if (parts.length > MAX_PARTS) parts.splice(MAX_PARTS - 1, parts.length - MAX_PARTS);
  return parts;
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

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const at = dot > 0 ? dot : name.length;
  return `${name.slice(0, at)}-${number}${name.slice(at)}`;
}

/** Two names that some file system takes for one are equal. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
