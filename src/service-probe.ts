import { type Static, Type } from '@sinclair/typebox';

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

export const Http = Type.Object(
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

export const Probe = Type.Object(
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
export type StatusRange = readonly [first: number, last: number];

/** When a certificate counts as one that soon expires, and as one that has. */
export type CertificateLimits = Readonly<Static<typeof Certificate>>;

/** What an HTTP probe asks, ready to be sent. */
export interface HttpQuestion extends Omit<Static<typeof Http>, 'expect'> {
  readonly expect: Static<typeof Http>['expect'] & { readonly statuses: readonly StatusRange[] };
}

/** One service of somebody else that the status page measures; exactly one of the kinds is there. */
export interface ServiceProbe extends Omit<Static<typeof Probe>, 'http'> {
  readonly name: string;
  readonly http?: HttpQuestion;
}
