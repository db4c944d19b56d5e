import { parentPort } from 'node:worker_threads';
import { findFiles } from './find-files.ts';
import { findOriginalSources } from './find-original-sources.ts';
import type { SearchTask } from './search-thread.ts';

parentPort?.on('message', (task: SearchTask) => {
  parentPort?.postMessage(
    task.kind === 'original' ? findOriginalSources(task.search) : findFiles(task.search),
  );
});
