import { register } from 'node:module';
import { workerData } from 'node:worker_threads';
import { CODE_FOLDER } from '../own-files.ts';

// What the main thread registered does not reach a worker's modules on Node below 24.
register('./bounded-loading.js', CODE_FOLDER);
await import((workerData as { readonly entry: string }).entry);
