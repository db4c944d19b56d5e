import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CompilerSourceError } from '../compiler-catalog.ts';
import { createFileMemory, digestFile } from './file-digest.ts';

/** Name of the folder that holds the copies. */
export const RUN_FOLDER = 'run';

/** Copies of executables that nobody but this user can change between the check of their bytes and their run. */
export type PrivateCopies = ReturnType<typeof createPrivateCopies>;

/**
 * Keeps the copies below `folder()`, in a folder named by the SHA-256 of the bytes.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createPrivateCopies(folder: () => Promise<string>) {
  const digests = createFileMemory<string>();
  const digest = (path: string) =>
    digests.get(path, async () => (await digestFile(path, { withKeccak: false })).sha256);
  const underWay = new Map<string, Promise<string>>();

  const copy = async (path: string, sha256: string): Promise<string> => {
    // A process is started in another folder, so its path must be absolute.
    const parent = resolve(await folder(), RUN_FOLDER);
    const home = join(parent, sha256);
    const copied = join(home, basename(path));
    if (await isFileWith(digest, copied, sha256)) return copied;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const temporary = await mkdtemp(join(parent, 'new-'));
    try {
      const fresh = join(temporary, basename(path));
      await copyFile(path, fresh);
      const { sha256: actual } = await digestFile(fresh, { withKeccak: false });
      if (actual !== sha256) {
        throw new CompilerSourceError(`${path} changed while it was copied; the file is not run`);
      }
      await chmod(fresh, 0o500);
      await mkdir(home, { recursive: true, mode: 0o700 });
      await rename(fresh, copied);
      return copied;
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  };

  return {
    /**
     * Copies a file, checks the copy and makes it executable.
     *
     * @returns the path of the copy; the same bytes are copied once, also by several processes.
     * @throws CompilerSourceError when the bytes have another SHA-256 or cannot be copied.
     */
    copy(path: string, sha256: string): Promise<string> {
      const key = `${sha256}/${basename(path)}`;
      const running = underWay.get(key) ?? copy(path, sha256).finally(() => underWay.delete(key));
      underWay.set(key, running);
      return running.catch((error: unknown) => {
        if (error instanceof CompilerSourceError) throw error;
        const { message } = error as Error;
        throw new CompilerSourceError(`${path} cannot be copied to where it is run: ${message}`, error);
      });
    },
  };
}

async function isFileWith(
  digest: (path: string) => Promise<string>,
  path: string,
  sha256: string,
): Promise<boolean> {
  try {
    return (await digest(path)) === sha256;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
