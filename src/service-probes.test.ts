import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { readServiceProbes } from './service-probes.ts';

const http = (members: object = {}) => ({ url: 'https://example.org/health', ...members });
const problemsOf = (probe: unknown) => readServiceProbes(JSON.stringify({ P: probe }), {}).problems;

describe('STATUS_PROBES', () => {
  test('defaults are filled in, and headers from the environment', () => {
    const json = JSON.stringify({ API: { http: http({ headers: { 'X-Key': `\${KEY}!` } }) } });
    expect(readServiceProbes(json, { KEY: 'secret' })).toEqual({
      problems: [],
      probes: [
        {
          name: 'API',
          group: 'Services',
          description: '',
          everySeconds: 60,
          timeoutMs: 10_000,
          thresholds: {},
          http: {
            url: 'https://example.org/health',
            method: 'GET',
            headers: { 'X-Key': 'secret!' },
            followRedirects: false,
            expect: { status: '200-299', statuses: [[200, 299]] },
          },
        },
      ],
    });
  });

  test.each([
    [200, [[200, 200]]],
    ['200-204', [[200, 204]]],
    [
      [200, '301-302'],
      [
        [200, 200],
        [301, 302],
      ],
    ],
  ])('status %j', (status, statuses) => {
    const { probes } = readServiceProbes(JSON.stringify({ P: { http: http({ expect: { status } }) } }), {});
    expect(probes[0]?.http?.expect.statuses).toEqual(statuses);
  });

  test.each([
    [{}, 'P: needs exactly one of "http", "tcp" and "tls"'],
    [{ http: http(), tcp: { host: 'h', port: 1 } }, 'P: needs exactly one of'],
    [5, 'P: expected object'],
    [{ tcp: { host: 'h' } }, 'P/tcp/port: expected required property'],
    [{ tcp: { host: 'h', port: 70_000 } }, 'P/tcp/port: expected integer to be less or equal to 65535'],
    [{ http: http(), everySeconds: 5 }, 'P/everySeconds: expected integer to be greater or equal to 15'],
    [{ http: http(), every: 5 }, 'P/every: unexpected property'],
    [{ http: http({ url: 'ftp://x' }) }, 'P/http/url: must be an address that begins with'],
    [{ http: http({ url: 'https://a:b@x' }) }, 'P/http/url: must not contain a user or password'],
    [{ http: { url: 'http://x', certificate: {} } }, 'P/http/certificate: needs an address'],
    [{ http: http({ body: '{}' }) }, 'P/http/body: needs the method POST'],
    [{ http: http({ method: 'HEAD', expect: { contains: 'x' } }) }, 'P/http/expect/contains: cannot'],
    [{ http: http({ expect: { status: '299-200' } }) }, 'P/http/expect/status: must be a status'],
    [{ http: http({ headers: { a: 'b' }, followRedirects: true }) }, 'P/http/followRedirects: cannot'],
    [
      { http: http({ headers: { a: `\${GONE}` } }) },
      'P/http/headers/a: the environment variable GONE is not',
    ],
    [{ http: http({ headers: { 'a b': 'c' } }) }, 'P/http/headers/a b: cannot be sent'],
    [{ tls: { host: 'h', port: 1, warnDays: 1, failDays: 2 } }, 'P/tls/failDays: must not be above warnDays'],
  ])('%j is refused', (probe, problem) => {
    expect(problemsOf(probe)).toEqual([expect.stringContaining(`STATUS_PROBES: ${problem}`)]);
  });

  test('the configuration tells all problems of all probes, and no secret', () => {
    const json = JSON.stringify({ A: { http: { url: 'https://u:hidden@x' } }, B: { timeoutMs: 0 }, '': {} });
    const read = () => readConfig({ STATUS_PROBES_FILE: '/probes.json' }, () => json);
    for (const problem of ['A/http/url: must not', 'B/timeoutMs: expected', ': the key must be'])
      expect(read).toThrow(problem);
    expect(read).not.toThrow('hidden');
    expect(() => readConfig({ STATUS_PROBES: '[hidden' })).toThrow('STATUS_PROBES: must be a JSON object');
    expect(() => readConfig({ STATUS_PROBES: '[hidden' })).not.toThrow('hidden');
  });
});
