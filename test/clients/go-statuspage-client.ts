import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** What came back: status, and the body as the client decodes it, null when it is empty. */
export interface GoAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A type of the client: a kind of value, a list of one type, or a struct by its JSON names. */
export type GoType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'time'
  | 'object'
  | { readonly listOf: GoType }
  | { readonly [member: string]: GoType };

/**
 * Sends what the Go client of Statuspage's API sends, header by header, with the key prefix `oauth` of its Terraform
 * provider: the client itself needs a Go toolchain.
 *
 * @see contracts/status.md sections 6 and 13, sbecker59/statuspage-api-client-go api/v1/statuspage/client.go
 */
export async function sendLikeGo(key: string, method: string, url: string, body?: object): Promise<GoAnswer> {
  const payload = body === undefined ? undefined : Buffer.from(encodeLikeGo(body));
  const headers = {
    'User-Agent':
      'terraform-provider-statuspage/dev (terraform 2.0; terraform-cli 1.5.0) OpenAPI-Generator/1.0.0/go',
    Accept: 'application/json',
    Authorization: `oauth ${key}`,
    'Accept-Encoding': 'gzip',
    ...(payload === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
  };
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers }, (answer) => {
      buffer(answer)
        .then((received) => {
          const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received;
          const type = answer.headers['content-type'] ?? '';
          if (bytes.length > 0 && !/(?:application|text)\/json/i.test(type))
            throw new Error(`undefined response type ${type}`);
          const decoded: unknown = bytes.length === 0 ? null : JSON.parse(bytes.toString());
          resolve({ status: answer.statusCode ?? 0, body: decoded });
        })
        .catch(reject);
    });
    asking.on('error', reject).end(payload);
  });
}

/** As `encoding/json` writes: names in order, marks of HTML escaped, a line end behind it. */
function encodeLikeGo(body: object): string {
  const sorted = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  const escaped = sorted.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  return `${escaped}\n`;
}

/** RFC 3339, as `time.Time` reads it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const KINDS = {
  string: (value: unknown) => typeof value === 'string',
  bool: (value: unknown) => typeof value === 'boolean',
  int32: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  time: (value: unknown) => typeof value === 'string' && TIME.test(value),
  object: isStruct,
} as const;

/** What the client cannot put into its type, by place; null fits every type and unknown members are passed over. */
export function undecodable(type: GoType, value: unknown, at = ''): readonly string[] {
  if (value === null) return [];
  if (typeof type === 'string')
    return KINDS[type](value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`];
  if ('listOf' in type && typeof type.listOf !== 'undefined') {
    const item = type.listOf;
    if (!Array.isArray(value)) return [`${at}: no list`];
    return value.flatMap((each, index) => undecodable(item, each, `${at}[${index}]`));
  }
  if (!isStruct(value)) return [`${at}: no object`];
  return Object.entries(type).flatMap(([name, member]) =>
    name in value
      ? undecodable(member as GoType, value[name], `${at}.${name}`)
      : [`${at}.${name} is missing`],
  );
}

function isStruct(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
