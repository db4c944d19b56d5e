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

/** A Terraform provider as its requests show it. */
export interface TerraformProvider {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The word before the key. */
  readonly scheme: string;
  /** Sent with a body; null: none is named. */
  readonly contentType: string | null;
  /** Whether the change of a group is sent without a `component_group` around it. */
  readonly sendsBareGroups: boolean;
}

const GENERATED_CLIENT = {
  headers: {
    'User-Agent':
      'terraform-provider-statuspage/dev (terraform 2.0; terraform-cli 1.5.0) OpenAPI-Generator/1.0.0/go',
    Accept: 'application/json',
  },
  scheme: 'oauth',
  sendsBareGroups: false,
};

/**
 * The providers that Terraform's registry has; each needs a Go toolchain.
 *
 * @see contracts/status.md sections 6 and 13
 * @see sbecker59/statuspage-api-client-go api/v1/statuspage/client.go
 * @see yannh/statuspage-go-sdk main.go, component_group.go
 */
export const TERRAFORM_PROVIDERS: readonly TerraformProvider[] = [
  { name: 'sbecker59', ...GENERATED_CLIENT, contentType: 'application/json' },
  {
    name: 'sbecker59, type found out from the body',
    ...GENERATED_CLIENT,
    contentType: 'application/json; charset=utf-8',
  },
  {
    name: 'yannh',
    headers: { 'User-Agent': 'Go-http-client/1.1' },
    scheme: 'OAuth',
    contentType: null,
    sendsBareGroups: true,
  },
];

/** Sends what a provider sends, header by header. */
export async function sendLikeGo(
  { headers: named, scheme, contentType }: TerraformProvider,
  key: string,
  method: string,
  url: string,
  body?: object,
): Promise<GoAnswer> {
  const payload = body === undefined ? undefined : Buffer.from(encodeLikeGo(body));
  const headers = {
    ...named,
    Authorization: `${scheme} ${key}`,
    'Accept-Encoding': 'gzip',
    ...(payload === undefined || contentType === null ? {} : { 'Content-Type': contentType }),
    ...(payload === undefined ? {} : { 'Content-Length': payload.length }),
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

/** As `encoding/json` writes: names in order, marks of HTML escaped, a line end after it. */
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
    return KINDS[type](value) ? [] : [`${at}: ${JSON.stringify(value)} is not of type ${type}`];
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
