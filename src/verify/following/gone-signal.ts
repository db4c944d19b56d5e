import type { ServerResponse } from 'node:http';

/** Fires when the connection closes before the answer is sent. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const control = new AbortController();
  response.once('close', () => control.abort());
  return control.signal;
}
