import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { entryNames } from './entry-names.ts';

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
