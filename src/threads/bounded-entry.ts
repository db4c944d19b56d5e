import { register } from 'node:module';
import { workerData } from 'node:worker_threads';

// What the main thread registered does not reach a worker's modules on Node below 24.
register('./bounded-loading.js', import.meta.url);
await import((workerData as { readonly entry: string }).entry);
