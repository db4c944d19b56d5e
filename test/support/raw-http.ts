import { type IncomingHttpHeaders, request } from 'node:http';

/** What came back, as sent. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request that no client library tidies up. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in chunks of unknown number when there is no `content-length` among the headers. */
  readonly body?: string | Buffer;
}

/** Sends it over a connection of its own. */
export function sendRaw(base: string, given: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const headers: Record<string, string> = { ...given.headers };
  // Node would send the body of a DELETE without saying where it ends.
  if (given.body !== undefined && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked';
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method: given.method, path: given.path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject).end(given.body);
  });
}
