import { afterEach, describe, expect, test } from 'vitest';
import { unpackSubmission } from '../model/submission.ts';
import { readSubmission } from '../submissions/read-submission.ts';
import { BodyThread } from './body-thread.ts';

const open: BodyThread[] = [];
const aThread = (limits = {}) => {
  const thread = new BodyThread(limits);
  open.push(thread);
  return thread;
};
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())));

const aBody = (content: string, change: object = {}) => ({
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content } } },
  compilerVersion: '0.8.30',
  contractIdentifier: 'a.sol:A',
  creationTransactionHash: `0x${'1'.repeat(64)}`,
  ...change,
});
/** Memory of its own, as the intake gives it. */
const partsOf = (text: string) => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  const half = Buffer.allocUnsafeSlow(bytes.length >> 1);
  bytes.copy(half);
  const rest = Buffer.allocUnsafeSlow(bytes.length - half.length);
  bytes.copy(rest, 0, half.length);
  return [half, rest];
};

describe('the body thread', () => {
  test.each([
    ['kept as text', true, `contract A {} // ${'ö'.repeat(1000)}`],
    ['packed', false, `contract A {} // ${'ö'.repeat(2000)}`],
  ])('leaves what the row of the job holds: %s', async (_, isText, content) => {
    const thread = aThread({ largeCharacters: 2000 });
    const body = aBody(content);
    const parts = partsOf(JSON.stringify(body));
    const prepared = await thread.prepare(parts, 'standard_json');
    expect(parts.map(({ length }) => length)).toEqual([0, 0]);
    if (prepared.kind !== 'read' || prepared.submission?.kind !== 'packed') throw new Error('not read');
    expect(prepared.creationTransactionHash).toBe(body.creationTransactionHash);
    expect(prepared.submission.packed === null).toBe(isText);
    expect(await unpackSubmission(prepared.submission)).toEqual(readSubmission(body));
    expect(await thread.unpack(prepared.submission)).toEqual(readSubmission(body));
  });

  test.each([
    ['no JSON', '{ x', 'standard_json', 'unreadable', 'invalid_json', /in JSON at position 2/],
    [
      'too many members',
      `[${'[],'.repeat(60_000)}1]`,
      'standard_json',
      'unreadable',
      'invalid_parameter',
      /more than 50000 members/,
    ],
    ['nothing', '{}', 'standard_json', 'malformed', 'invalid_parameter', /required property 'stdJsonInput'/],
    [
      'no metadata',
      '{"sources":{"a":1}}',
      'metadata',
      'malformed',
      'invalid_parameter',
      /required property 'metadata'/,
    ],
    ['a wrong key', '{"apiKey":1}', 'import', 'malformed', 'invalid_parameter', /apiKey must be string/],
  ] as const)('refuses %s', async (_, text, kind, stage, code, message) => {
    const prepared = await aThread().prepare(partsOf(text), kind);
    expect(prepared).toEqual({
      kind: stage,
      refusal: { code, message: expect.stringMatching(message), more: {} },
    });
  });

  test('takes a form of Etherscan apart: short fields, and the submission without the sources', async () => {
    const fields = {
      module: 'contract',
      contractaddress: '0x1',
      contractname: 'a.sol:A',
      compilerversion: 'v0.8.30',
      sourceCode: JSON.stringify(aBody('x'.repeat(100_000)).stdJsonInput),
    };
    const parts = partsOf(new URLSearchParams(fields).toString());
    const prepared = await aThread().prepare(parts, 'etherscan', 'application/x-www-form-urlencoded');
    if (prepared.kind !== 'form') throw new Error('no form');
    const { sourceCode: _, ...others } = fields;
    expect(Object.fromEntries(prepared.form.fields)).toEqual(others);
    const { submission } = prepared.form;
    if (submission?.kind !== 'packed') throw new Error('not packed');
    expect(submission.bytes).toBeGreaterThan(100_000);
    expect(prepared.heapBytes).toBeGreaterThan(0);
    expect(prepared.heapBytes).toBeLessThan(2_000);
  });

  test('keeps the refusals of the submission apart from those of the schema', async () => {
    const body = aBody('', { contractIdentifier: 'A' });
    const prepared = await aThread().prepare(partsOf(JSON.stringify(body)), 'standard_json');
    expect(prepared).toMatchObject({ kind: 'read', submission: { kind: 'refused' } });
  });

  test('refuses a body that takes too much memory, and continues with the next', async () => {
    const thread = aThread({ heapMiB: 16 });
    const large = partsOf(JSON.stringify(aBody('ö'.repeat(12_000_000))));
    await expect(thread.prepare(large, 'standard_json')).rejects.toMatchObject({ code: 'invalid_parameter' });
    const next = await thread.prepare(partsOf(JSON.stringify(aBody('contract A {}'))), 'standard_json');
    expect(next.kind).toBe('read');
  });

  test('answers 503 for a body that takes too long', async () => {
    const thread = aThread({ timeoutMs: 1 });
    const late = thread.prepare(partsOf(JSON.stringify(aBody('x'.repeat(8_000_000)))), 'standard_json');
    await expect(late).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 5 });
  });

  test('refuses what waits when it is closed', async () => {
    const thread = aThread();
    const text = JSON.stringify(aBody('x'.repeat(100_000)));
    const bodies = [1, 2, 3].map(() => thread.prepare(partsOf(text), 'standard_json'));
    const ends = Promise.allSettled(bodies);
    await thread.close();
    const codes = (await ends).map((end) => (end.status === 'rejected' ? end.reason.code : 'read'));
    expect(codes.at(-1)).toBe('server_busy');
  });
});
