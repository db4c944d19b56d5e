import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a signed request says of itself. */
export interface Credential {
  readonly accessKeyId: string;
  readonly region: string;
}

/** Reads who signed a request; null when nobody did. */
export function credentialOf({ headers }: IncomingMessage): Credential | null {
  const [, accessKeyId, region] =
    /Credential=([^/]+)\/\d{8}\/([^/]+)\//.exec(headers.authorization ?? '') ?? [];
  return accessKeyId === undefined || region === undefined ? null : { accessKeyId, region };
}

/** Whether the signature is that of the key over method, path, query and signed headers, which s3rver does not check. */
export function isSignedWith(secret: string, request: IncomingMessage): boolean {
  const authorization = request.headers.authorization ?? '';
  const scope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? '';
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path,
    query
      .split('&')
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return authorization.endsWith(`Signature=${hmac(key, text).toString('hex')}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
