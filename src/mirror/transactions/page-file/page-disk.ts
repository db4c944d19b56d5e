import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  write,
} from 'node:fs';
import { promisify } from 'node:util';

/** What a page file asks of the disk. Everything throws what the operating system says. */
export interface PageDisk {
  /** Makes the folder unless it is there. */
  makeFolder(path: string): void;
  /** Names in a folder; none when there is no such folder. */
  list(path: string): readonly string[];
  /** Opens for reading and writing: what is there, or a new empty file in its place. */
  open(path: string, what: 'present' | 'new'): number;
  sizeOf(file: number): number;
  /** @returns how many bytes there were, which may be less than asked for */
  read(file: number, target: Buffer, at: number, bytes: number, position: number): number;
  /** Writes all of it. A slow disk holds up a thread of its own, never a request. */
  write(file: number, bytes: Buffer, position: number): Promise<void>;
  truncate(file: number, bytes: number): void;
  close(file: number): void;
  /** Does nothing when there is no such file. */
  remove(path: string): void;
}

const writeSome = promisify(write);

/** The disk of the operating system. */
export const systemPageDisk: PageDisk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  list(path) {
    try {
      return readdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  },
  open: (path, what) => openSync(path, what === 'new' ? 'w+' : 'r+'),
  sizeOf: (file) => fstatSync(file).size,
  read: readSync,
  async write(file, bytes, position) {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeSome(file, bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  },
  truncate: ftruncateSync,
  close: closeSync,
  remove: (path) => rmSync(path, { force: true }),
};
