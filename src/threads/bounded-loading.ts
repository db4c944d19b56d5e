import type { LoadHook } from 'node:module';

const AT_ONCE = 8;

let loading = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a few modules at a time. Node reads all that a module imports at once, hundreds of files, which a process with
 * a small limit of open files may not.
 *
 * Registered by `cli.ts`; runs in the thread that loads modules.
 */
export const load: LoadHook = async (url, context, nextLoad) => {
  if (loading < AT_ONCE) loading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await nextLoad(url, context);
  } finally {
    const next = waiting.shift();
    if (next === undefined) loading -= 1;
    else next();
  }
};
