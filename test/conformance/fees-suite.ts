import { parseExact } from '../../src/commands/exact-json.ts';
import { once } from '../../src/values/once.ts';
import { CASE_BODY_LIMIT, type FeeCase } from '../kit/mirror/fees/fee-case.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import type { CaseFile } from './case-files.ts';
import { storeFeeState } from './fee-state.ts';
import { CaseFailed, differences, type Report } from './report.ts';

interface FeeErrorBody {
  readonly _status?: {
    readonly messages?: readonly { readonly message?: string; readonly detail?: string }[];
  };
}

export function isFeeFile(file: CaseFile): boolean {
  const { request, expected } = file.content as Partial<FeeCase>;
  return request?.bodyHex !== undefined && expected !== undefined;
}

function startFeeServer(): Promise<TestServer> {
  return startTestServer({
    env: { MIRROR_DIALECT: 'hiero', MIRROR_FEE_BODY_LIMIT: String(CASE_BODY_LIMIT) },
  });
}

/** Its ledger stays empty; it serves every case without a state, until the process ends. */
const statelessServer = once(startFeeServer);

/** Posts one transaction to a server whose ledger knows just the state of the case. */
export async function runFeeFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const each = file.content as FeeCase;
  await report.run(folder, each.name, async () => {
    const isStateless = each.state === undefined;
    const server = await (isStateless ? statelessServer() : startFeeServer());
    try {
      await storeFeeState(server, each.state);
      const query = new URLSearchParams();
      if (each.request.mode !== undefined) query.set('mode', each.request.mode);
      const throttle = each.request.high_volume_throttle;
      if (throttle !== undefined && throttle !== 0) query.set('high_volume_throttle', String(throttle));
      const response = await fetch(`${server.url}/api/v1/network/fees?${query}`, {
        method: 'POST',
        headers: { 'content-type': each.request.content_type ?? 'application/protobuf' },
        body: Buffer.from(each.request.bodyHex, 'hex'),
      });
      const wrong = judge(each.expected, response.status, parseExact(await response.text()));
      if (wrong.length > 0) throw new CaseFailed(wrong);
    } finally {
      if (!isStateless) await server.close();
    }
  });
}

function judge(expected: FeeCase['expected'], status: number, body: unknown): string[] {
  const wrong = differences(expected.status, status, {}, 'status');
  if (expected.body !== undefined) {
    wrong.push(...differences(expected.body, body, { additionalMembers: true }));
  }
  if (expected.notesContains !== undefined) {
    const { notes } = body as { notes?: readonly string[] };
    const sought = expected.notesContains.toLowerCase();
    if (!notes?.some((note) => note.toLowerCase().includes(sought)))
      wrong.push(`notes: none contains "${sought}"`);
  }
  if (expected.error !== undefined) wrong.push(...judgeError(expected.error, body as FeeErrorBody));
  return wrong;
}

function judgeError(expected: NonNullable<FeeCase['expected']['error']>, body: FeeErrorBody): string[] {
  const first = body._status?.messages?.[0];
  const wrong: string[] = [];
  if (expected.message !== undefined)
    wrong.push(...differences(expected.message, first?.message, {}, 'message'));
  if (expected.detail !== undefined) wrong.push(...differences(expected.detail, first?.detail, {}, 'detail'));
  if (expected.messagePattern !== undefined) {
    const pattern = new RegExp(expected.messagePattern);
    const texts = [first?.message ?? '', first?.detail ?? ''];
    if (!texts.some((text) => pattern.test(text))) wrong.push(`messages: none matches ${pattern}`);
  }
  return wrong;
}
