import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Environment, fillHeaders } from './values/request-headers.ts';

type Tell = (place: string, problem: string) => void;

const KINDS = ['http', 'tcp', 'tls'] as const;

/**
 * Reads `STATUS_PROBES`: a JSON object by name of the component. `${NAME}` in a header is replaced by the
 * environment variable of that name.
 *
 * @returns the probes without a mistake, and everything that is wrong; no address or header is repeated in it,
 * since they may hold secrets.
 */
export function readServiceProbes(
  json: string,
  environment: Environment,
): { readonly probes: readonly ServiceProbe[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const probes = Object.entries(objectOf(json, problems)).flatMap(([name, given]) => {
    const before = problems.length;
    const probe = readProbe(name, given, environment, (place, problem) =>
      problems.push(`STATUS_PROBES: ${name}${place}: ${problem}`),
    );
    return probe === null || problems.length > before ? [] : [probe];
  });
  return { probes, problems };
}

function objectOf(json: string, problems: string[]): object {
  try {
    const given: unknown = JSON.parse(json);
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {
    // The parser's message repeats a part of the text, which may hold secrets.
  }
  problems.push(
    'STATUS_PROBES: must be a JSON object such as {"Docs":{"http":{"url":"https://example.org"}}}',
  );
  return {};
}

function readProbe(name: string, given: unknown, environment: Environment, tell: Tell): ServiceProbe | null {
  if (name.trim() !== name || name === '' || name.length > 200) {
    tell('', 'the key must be the name of a component, 1 to 200 characters without blanks around it');
  }
  const probe: unknown = Value.Default(Probe, Value.Clone(given));
  if (!isOf(Probe, probe, tell)) return null;
  const kinds = KINDS.filter((kind) => probe[kind] !== undefined);
  if (kinds.length !== 1) tell('', 'needs exactly one of "http", "tcp" and "tls"');
  const { http, ...others } = probe;
  if (probe.tls !== undefined) checkCertificate('/tls', probe.tls, tell);
  return { ...others, name, ...(http === undefined ? {} : { http: readQuestion(http, environment, tell) }) };
}

function isOf<T extends TSchema>(schema: T, value: unknown, tell: Tell): value is Static<T> {
  const told = new Set<string>();
  for (const { path, message } of Value.Errors(schema, value)) {
    // A missing member is told twice: as missing and as of the wrong type.
    if (!told.has(path)) tell(path, message.charAt(0).toLowerCase() + message.slice(1));
    told.add(path);
  }
  return told.size === 0;
}

function readQuestion(http: Static<typeof Http>, environment: Environment, tell: Tell): HttpQuestion {
  const url = URL.canParse(http.url) ? new URL(http.url) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    tell('/http/url', 'must be an address that begins with http:// or https://');
  } else if (url.username !== '' || url.password !== '') {
    tell('/http/url', 'must not contain a user or password; give an authorization header');
  } else if (http.certificate !== undefined && url.protocol !== 'https:') {
    tell('/http/certificate', 'needs an address that begins with https://');
  }
  if (http.body !== undefined && http.method !== 'POST') tell('/http/body', 'needs the method POST');
  if (http.expect.contains !== undefined && http.method === 'HEAD') {
    tell('/http/expect/contains', 'cannot be checked with HEAD, whose responses have no body');
  }
  if (http.followRedirects && Object.keys(http.headers).length > 0) {
    tell('/http/followRedirects', 'cannot be used with headers, which would also be sent elsewhere');
  }
  if (http.certificate !== undefined) checkCertificate('/http/certificate', http.certificate, tell);
  const headers = fillHeaders(http.headers, environment, (name, reason) =>
    tell(`/http/headers/${name}`, reason),
  );
  return { ...http, headers, expect: { ...http.expect, statuses: readStatuses(http.expect.status, tell) } };
}

function checkCertificate(place: string, { warnDays, failDays }: CertificateLimits, tell: Tell): void {
  if (failDays > warnDays) tell(`${place}/failDays`, 'must not be above warnDays');
}

/** A status, a range such as `"200-299"`, or a list of both. */
function readStatuses(given: unknown, tell: Tell): readonly StatusRange[] {
  const each = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  const ranges = each.map((one): StatusRange => {
    const isText = typeof one === 'string' || typeof one === 'number';
    const [, first = '', last = first] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(isText ? `${one}` : '') ?? [];
    return [Number(first), Number(last)];
  });
  if (ranges.length === 0 || ranges.some(([first, last]) => first === 0 || first > last)) {
    tell('/http/expect/status', 'must be a status such as 200, a range such as "200-299", or a list of them');
  }
  return ranges;
}

const closed = { additionalProperties: false };
const Milliseconds = Type.Integer({ minimum: 1, maximum: 600_000 });
const Host = Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s/@?#]+$' });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Certificate = Type.Object(
  {
    warnDays: Type.Integer({ minimum: 0, maximum: 3650, default: 14 }),
    failDays: Type.Integer({ minimum: 0, maximum: 3650, default: 0 }),
  },
  closed,
);

const Http = Type.Object(
  {
    url: Type.String(),
    method: Type.Union([Type.Literal('GET'), Type.Literal('HEAD'), Type.Literal('POST')], { default: 'GET' }),
    headers: Type.Record(Type.String(), Type.String(), { default: {} }),
    body: Type.Optional(Type.String()),
    followRedirects: Type.Boolean({ default: false }),
    expect: Type.Object(
      {
        status: Type.Unknown({ default: '200-299' }),
        contains: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
        maxMs: Type.Optional(Milliseconds),
      },
      { ...closed, default: {} },
    ),
    certificate: Type.Optional(Certificate),
  },
  closed,
);

const Probe = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 255, default: 'Services' }),
    description: Type.String({ maxLength: 1000, default: '' }),
    everySeconds: Type.Integer({ minimum: 15, maximum: 86_400, default: 60 }),
    timeoutMs: Type.Integer({ minimum: 1, maximum: 60_000, default: 10_000 }),
    thresholds: Type.Object(
      {
        degraded_performance: Type.Optional(Milliseconds),
        partial_outage: Type.Optional(Milliseconds),
        major_outage: Type.Optional(Milliseconds),
      },
      { ...closed, default: {} },
    ),
    http: Type.Optional(Http),
    tcp: Type.Optional(Type.Object({ host: Host, port: Port }, closed)),
    tls: Type.Optional(Type.Object({ host: Host, port: Port, ...Certificate.properties }, closed)),
  },
  closed,
);

/** From and to, inclusive. */
type StatusRange = readonly [first: number, last: number];

/** When a certificate counts as one that soon expires, and as one that has. */
export type CertificateLimits = Readonly<Static<typeof Certificate>>;

/** What an HTTP probe requests, ready to be sent. */
export interface HttpQuestion extends Omit<Static<typeof Http>, 'expect'> {
  readonly expect: Static<typeof Http>['expect'] & { readonly statuses: readonly StatusRange[] };
}

/** One external service that the status page measures; exactly one of the kinds is there. */
export interface ServiceProbe extends Omit<Static<typeof Probe>, 'http'> {
  readonly name: string;
  readonly http?: HttpQuestion;
}
