import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../../values/clock.ts';
import { CompilerSourceError } from '../compiler-catalog.ts';
import { runFolderPrefix, thisOwner } from '../copies/run-owner.ts';
import { CHECKSUM_ENDING } from './directory-compilers.ts';

const SCRATCH_PREFIX = '.new-';
const ABANDONED_MS = 86_400_000;

/**
 * The folder of fetched and added compilers, with one `<file>.sha256` beside each.
 *
 * A compiler counts as present once its checksum file is there, which is written last; every file comes into
 * being complete, by renaming. So several processes may use the folder, and an interrupted download is never used.
 */
export class CompilerCache {
  readonly #configured: string | null;
  readonly #clock: Clock;
  #temporary: string | null = null;
  #cleaned: Promise<void> | null = null;

  /** @param folder null for a temporary one that ends with this process. */
  constructor(folder: string | null, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#configured = folder === null ? null : resolve(folder);
  }

  /** Where the files are; null before the first use of a temporary folder. */
  get path(): string | null {
    return this.#configured ?? this.#temporary;
  }

  /** Makes the folder when it is not there. @throws CompilerSourceError when it cannot be made. */
  async folder(): Promise<string> {
    if (this.#configured === null) {
      this.#temporary ??= mkdtempSync(join(tmpdir(), runFolderPrefix(thisOwner())));
      return this.#temporary;
    }
    const folder = this.#configured;
    await writing(folder, () => mkdir(folder, { recursive: true }));
    return folder;
  }

  /** A fresh private folder inside, for a file that is not complete yet; `work` may leave files in it. */
  async withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.folder();
    this.#cleaned ??= removeAbandoned(folder, this.#clock.now());
    await this.#cleaned;
    const scratch = await writing(folder, () => mkdtemp(join(folder, SCRATCH_PREFIX)));
    try {
      return await work(scratch);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /**
   * Moves a checked file from a scratch folder into place under `name`.
   *
   * @returns its path; it is on disk when this returns.
   * @throws CompilerSourceError when the folder cannot be written.
   */
  async keep(scratchFile: string, name: string, sha256: string): Promise<string> {
    const folder = await this.folder();
    const path = join(folder, name);
    const checksumFile = `${scratchFile}${CHECKSUM_ENDING}`;
    return writing(folder, async () => {
      await chmod(scratchFile, 0o644);
      await writeDurably(checksumFile, `${sha256}  ${basename(path)}\n`);
      await flush(scratchFile);
      await rename(scratchFile, path);
      await rename(checksumFile, `${path}${CHECKSUM_ENDING}`);
      return path;
    });
  }

  /** Removes the folder if it is a temporary one. */
  async close(): Promise<void> {
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }
}

/** Scratch folders of processes that were killed; younger ones may be in use by another process. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!name.startsWith(SCRATCH_PREFIX)) continue;
      if (now - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  } catch {
    // Another process may clean at the same time, and what stays costs only space.
  }
}

async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new CompilerSourceError(`compilers cannot be kept in ${folder}: ${message}`, error);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
