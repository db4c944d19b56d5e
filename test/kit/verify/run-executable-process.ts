// Runs an executable as a job does, in a process of its own, for tests that kill it. Arguments: folder, executable.
import { runNativeProcess } from '../../../src/verify/compile/native/native-process.ts';
import { createPrivateFolders } from '../../../src/verify/compile/native/private-folder.ts';

const [parent = '', path = ''] = process.argv.slice(2);
await createPrivateFolders(async () => parent).with((folder) =>
  runNativeProcess({
    path,
    arguments: [],
    folder,
    stdin: '',
    timeoutMs: 600_000,
    memoryLimitMiB: 1024,
    signal: new AbortController().signal,
  }),
);
