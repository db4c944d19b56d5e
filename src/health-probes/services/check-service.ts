import type { CertificateLimits, HttpQuestion, ServiceProbe } from '../../service-probes.ts';
import { type HealthProbe, type ProbeSample, worstSample } from '../../status/index.ts';
import { levelAbove } from '../../status/monitor/thresholds.ts';
import type { Clock } from '../../values/clock.ts';
import { timeLimit } from '../../values/time-limit.ts';
import type { Connect, Place } from './open-connection.ts';

interface CheckServiceParts {
  readonly fetch: typeof fetch;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly stopwatch: () => number;
}

const DAY_MS = 86_400_000;
const HTTPS_PORT = 443;

/**
 * Asks a service once. Never rejects: a service that cannot be asked is out.
 *
 * @param signal ends it. Details name the host alone, since paths and headers may hold secrets.
 */
export async function checkService(
  probe: ServiceProbe,
  parts: CheckServiceParts,
  signal: AbortSignal,
): Promise<ProbeSample> {
  const { http, tcp, tls } = probe;
  const host = http === undefined ? (tcp ?? tls)?.host : new URL(http.url).host;
  const { end, signal: limit } = timeLimit(probe.timeoutMs, signal);
  const begin = parts.stopwatch();
  try {
    const found = await ask(probe, parts, limit);
    const durationMs = parts.stopwatch() - begin;
    const ms = Math.round(durationMs);
    const most = http?.expect.maxMs ?? Number.POSITIVE_INFINITY;
    const level = ms > most ? 'major_outage' : levelAbove(ms, probe.thresholds);
    const certificate =
      http?.certificate === undefined
        ? []
        : [await judgeCertificate(placeOf(http), http.certificate, parts, limit)];
    const { level: worst, detail } = worstSample([
      ...found,
      ...certificate,
      { level, detail: `took ${ms} ms` },
    ]);
    const isWell = worst === 'operational';
    return { level: worst, detail: isWell ? null : `${host}: ${detail}`, durationMs };
  } catch (error) {
    return { level: 'major_outage', detail: `${host}: ${reasonOf(error)}` };
  } finally {
    end();
  }
}

async function ask({ http, tcp, tls }: ServiceProbe, parts: CheckServiceParts, signal: AbortSignal) {
  if (http !== undefined) return [await judgeAnswer(http, parts.fetch, signal)];
  if (tls !== undefined) return [await judgeCertificate(tls, tls, parts, signal)];
  if (tcp !== undefined) await parts.connect.tcp(tcp, signal);
  return [];
}

async function judgeAnswer(
  http: HttpQuestion,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<ProbeSample> {
  const { contains, statuses } = http.expect;
  const answer = await send(http.url, {
    method: http.method,
    headers: http.headers,
    redirect: http.followRedirects ? 'follow' : 'manual',
    signal,
    ...(http.body === undefined ? {} : { body: http.body }),
  });
  const isExpected = statuses.some(([first, last]) => answer.status >= first && answer.status <= last);
  if (!isExpected || contains === undefined) {
    await answer.body?.cancel();
    return isExpected
      ? { level: 'operational', detail: null }
      : { level: 'major_outage', detail: `answers ${answer.status}` };
  }
  return (await answerContains(answer, contains))
    ? { level: 'operational', detail: null }
    : { level: 'major_outage', detail: 'the response does not contain the expected text' };
}

async function judgeCertificate(
  place: Place,
  { warnDays, failDays }: CertificateLimits,
  { connect, clock }: CheckServiceParts,
  signal: AbortSignal,
): Promise<ProbeSample> {
  const { validTo, fault } = await connect.tls({ host: place.host, port: place.port }, signal);
  const days = (validTo - clock.now()) / DAY_MS;
  if (fault !== null) return { level: 'major_outage', detail: `the certificate is not trusted: ${fault}` };
  const detail = `the certificate expires in ${Math.floor(days)} days`;
  if (days <= failDays) return { level: 'major_outage', detail };
  return { level: days <= warnDays ? 'degraded_performance' : 'operational', detail };
}

function placeOf({ url: text }: HttpQuestion): Place {
  const url = new URL(text);
  // A literal IPv6 address stands in brackets in a URL only.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? HTTPS_PORT : Number(url.port) };
}

/** A code or the kind of the error: messages may repeat the address. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (inner instanceof Error && inner.name === 'TimeoutError') return 'no response in time';
  const code = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  return typeof code === 'string' ? `no response (${code})` : 'no response';
}

/** What of an answer is looked at. */
const MAX_BYTES = 1_048_576;

/** Whether the first mebibyte of an answer, read as UTF-8, contains the text. The rest is not fetched. */
async function answerContains(answer: Response, text: string): Promise<boolean> {
  const decoder = new TextDecoder();
  let left = MAX_BYTES;
  let seen = '';
  // Leaving the loop cancels the answer.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    seen += decoder.decode(chunk.subarray(0, left), { stream: true });
    if (seen.includes(text)) return true;
    left -= chunk.byteLength;
    if (left <= 0) return false;
    // Only a beginning of the text can still be completed.
    seen = seen.slice(-text.length);
  }
  return false;
}

interface ServiceProbesParts extends CheckServiceParts {
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Services that are asked at the same time. */
const AT_ONCE = 8;
/** Half the time between two rounds of the page: whatever is due before the next one is asked in this one. */
const EARLY_MS = 7_500;

/**
 * One probe for each configured service.
 *
 * A round does not wait for them, so that a slow service keeps no other part from being measured: it starts what is
 * due and takes what earlier rounds started. None is asked again before it has answered.
 */
export function createServiceProbes(
  services: readonly ServiceProbe[],
  parts: ServiceProbesParts,
): readonly HealthProbe[] {
  const turns = createTurns(AT_ONCE);
  return services.map((service) => {
    let askedAt: number | null = null;
    let isAsking = false;
    let found: ProbeSample | null = null;

    async function ask(): Promise<void> {
      isAsking = true;
      const sample = await turns.run(async () =>
        parts.signal.aborted ? null : checkService(service, parts, parts.signal),
      );
      // What the end of the server cut off says nothing about the service.
      if (!parts.signal.aborted) found = sample;
      isAsking = false;
    }

    return {
      name: `service:${service.name}`,
      part: {
        group: service.group,
        component: { name: service.name, description: service.description },
      },
      async check() {
        const sample = found;
        found = null;
        const now = parts.clock.now();
        const isDue = askedAt === null || Math.abs(now - askedAt) >= service.everySeconds * 1000 - EARLY_MS;
        if (isDue && !isAsking && !parts.signal.aborted) {
          askedAt = now;
          void ask();
        }
        return sample;
      },
    };
  });
}

/** Lets so many pieces of work run at a time; the others wait in line. */
function createTurns(count: number): { run<T>(work: () => Promise<T>): Promise<T> } {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(work) {
      if (free === 0) await new Promise<void>((admit) => waiting.push(admit));
      else free -= 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
