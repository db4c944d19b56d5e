import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

/** What came back over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The unpacked JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends exactly the given headers beside Host, Connection and Content-Length, which `fetch` cannot do. */
export async function sendRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const length = payload === undefined ? {} : { 'Content-Length': payload.length };
    const method = payload === undefined ? 'GET' : 'POST';
    const asking = request(url, { method, headers: { ...headers, ...length } }, (answer) => {
      const isPacked = answer.headers['content-encoding'] === 'gzip';
      text(isPacked ? answer.pipe(createGunzip()) : answer)
        .then((content) =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(content) }),
        )
        .catch(reject);
    });
    asking.on('error', reject).end(payload);
  });
}
