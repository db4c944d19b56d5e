// Node below 24 cannot start a .ts worker, and --import does not reach a worker's entry file.
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData.entry);
