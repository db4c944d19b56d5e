import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transactionBytes } from '../../../../test/kit/mirror/fees/transactions.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { aTransfer } from '../../fees/sample-transfer.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { messages } from '../../protobuf/messages.ts';

const START = consensusTimestamp(1_700_000_000_000_000_000n);
const HEX = aTransfer(3).toString('hex');
const RATE = { hbarEquiv: 30_000, centEquiv: 360_000, expirationTime: { seconds: 1_900_000_000n } };

const textOf = (page: string) =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
/** A list as SDKs write it. */
const listOf = (...members: readonly Buffer[]) =>
  Buffer.concat(members.flatMap((each) => [Buffer.from([0x0a, each.length | 0x80, each.length >> 7]), each]));

describe('the fee calculator', () => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp({ publicUrl: 'https://mirror.example' });
    await mirror.area.ledger.commitUnits([
      fixtureUnit('rates', {
        filePieces: [
          {
            file: entityId(112n),
            consensusTimestamp: START,
            transactionType: 19,
            contents: messages.ExchangeRateSet.encode({ currentRate: RATE, nextRate: RATE }),
          },
        ],
      }),
    ]);
  });
  afterAll(() => mirror.close());

  const post = async (fields: Readonly<Record<string, string>>) => {
    const { body, headers, statusCode } = await mirror.app.inject({
      method: 'POST',
      url: '/ledger/fees',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    return { body, headers, statusCode, text: textOf(body) };
  };

  test('is a form that works without a script', async () => {
    const { body, statusCode } = await mirror.app.inject('/ledger/fees');
    expect(statusCode).toBe(200);
    expect(body).toContain('method="post" action="/ledger/fees" enctype="multipart/form-data"');
  });

  test.each([
    ['hexadecimal', HEX],
    ['hexadecimal with 0x, in capitals and lines', `0x${HEX.toUpperCase().replace(/(.{60})/g, '$1\n')}`],
    ['base64', aTransfer(3).toString('base64')],
    ['base64url', aTransfer(3).toString('base64url')],
  ])('takes %s and shows each part in words and money', async (_, transaction) => {
    const { statusCode, text } = await post({ transaction });
    expect(statusCode).toBe(200);
    expect(text).toContain('$0.0003 or 0.00250000 ℏ');
    expect(text).toContain('0.03 ¢, 3,000,000 tinycents; 250,000 tinybars at the rate set at');
    expect(text).toContain('Type Transfer CRYPTOTRANSFER');
    expect(text).toContain('Payer 0.0.1001');
    expect(text).toContain('-0.00000100 ℏ');
    expect(text).toContain('+ Signatures SIGNATURES 3 counted (pairs in the signature map');
    expect(text).toContain('3 1 2 0.001 ¢ 0.002 ¢');
    expect(text).toContain('9 times the node fee with its extras, for consensus and storage 0.027 ¢');
    expect(text).toContain('1.00000000 ℏ: enough for the estimate');
  });

  test('prices high volume at the given use of its throttle, as the API does', async () => {
    const transaction = transactionBytes({ cryptoCreateAccount: {}, highVolume: true }).toString('hex');
    const totalOf = (text: string) => Number(/([\d,]+) tinycents/.exec(text)?.[1]?.replaceAll(',', ''));
    const idle = await post({ transaction, mode: 'STATE', high_volume_throttle: '0' });
    const busy = await post({ transaction, mode: 'STATE', high_volume_throttle: '9000' });
    expect(totalOf(busy.text)).toBeGreaterThan(totalOf(idle.text));
    const answer = await mirror.app.inject({
      method: 'POST',
      url: '/api/v1/network/fees?mode=STATE&high_volume_throttle=9000',
      headers: { 'content-type': 'application/protobuf' },
      payload: Buffer.from(transaction, 'hex'),
    });
    expect(totalOf(busy.text)).toBe((JSON.parse(answer.body) as { total: number }).total);
    expect(busy.body).toContain('high_volume_throttle=9000');
    const refused = await post({ transaction, high_volume_throttle: '10001' });
    expect(refused.statusCode).toBe(400);
    expect(refused.text).toContain('high_volume_throttle');
  });

  test('gives the request of the same estimate, which answers the same total', async () => {
    const { text } = await post({ transaction: HEX, mode: 'STATE', signatures: '5' });
    const [, path, payload] = /curl 'https:\/\/mirror\.example([^']*)' .*? -d '([^']*)'/.exec(text) ?? [];
    const answer = await mirror.app.inject({
      method: 'POST',
      url: (path ?? '').replaceAll('&amp;', '&'),
      headers: { 'content-type': 'application/json' },
      payload: (payload ?? '').replaceAll('&quot;', '"'),
    });
    const { total } = JSON.parse(answer.body) as { total: number };
    expect(total).toBe(5_000_000);
    expect(text).toContain('5,000,000 tinycents');
    expect(text).toContain('Estimated for 5 signatures; the transaction has 3');
  });

  test('takes the list that SDKs write, of which one member is paid', async () => {
    const { text } = await post({ transaction: listOf(aTransfer(1), aTransfer(1)).toString('hex') });
    expect(text).toContain('The list has 2 transactions');
    expect(text).toContain('1,000,000 tinycents');
    expect(text).toContain('2 of 2: Transfer');
  });

  test.each([
    ['bytes', aTransfer(3)],
    ['text', Buffer.from(`${HEX}\n`)],
  ])('takes a file of %s', async (_, contents) => {
    const boundary = 'x-boundary';
    const part = (name: string, more = '') =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const payload = Buffer.concat([
      Buffer.from(`${part('transaction')}\r\n${part('file', '; filename="tx.bin"')}`),
      contents,
      Buffer.from(`\r\n${part('mode')}INTRINSIC\r\n--${boundary}--\r\n`),
    ]);
    const { body, statusCode } = await mirror.app.inject({
      method: 'POST',
      url: '/ledger/fees',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    });
    expect(statusCode).toBe(200);
    expect(textOf(body)).toContain('3,000,000 tinycents');
  });

  test.each([
    ['', 'The input is empty'],
    ['0a0b!', 'Character 5, “!”, is neither hexadecimal nor base64.'],
    ['{"transactionId": 1}', 'A transaction in JSON cannot be estimated'],
    ['0x0a0bzz', 'Only hexadecimal digits may follow 0x; found “zz”.'],
    ['0x0a0', 'There are 3 hexadecimal digits, an odd number'],
    ['AAAAA', 'The base64 text is truncated'],
    [HEX.slice(0, -10), 'Unable to parse transaction'],
    ['1a00', 'paste the whole transaction'],
    [transactionBytes({ freeze: {} }, 1), 'Unknown transaction type. Its type has no price'],
  ])('says what is wrong with %j', async (given, message) => {
    const transaction = typeof given === 'string' ? given : Buffer.from(given).toString('hex');
    const { statusCode, text } = await post({ transaction });
    expect(statusCode).toBe(400);
    expect(text).toContain(message);
  });

  test.each([
    [{ mode: 'guess' }, "Failed to convert 'mode'"],
    [{ signatures: 'many' }, "Failed to convert 'signatures'"],
    [{ signatures: '101' }, 'signatures must be less than or equal to 100'],
  ])('refuses %j in the words of the API', async (fields, message) => {
    const { statusCode, text } = await post({ transaction: HEX, ...fields });
    expect(statusCode).toBe(400);
    expect(text).toContain(message);
  });

  test('shows hostile memos as they are, and keeps what was pasted', async () => {
    const hostile = '</textarea><script>ran()</script>';
    const bytes = messages.TransactionBody.encode({ memo: hostile, cryptoDelete: {} });
    const signed = messages.SignedTransaction.encode({ bodyBytes: bytes });
    const transaction = Buffer.from(messages.Transaction.encode({ signedTransactionBytes: signed }));
    const good = await post({ transaction: transaction.toString('base64') });
    expect(good.text).toContain('Memo &lt;/textarea&gt;&lt;script&gt;ran()');
    const bad = await post({ transaction: hostile });
    expect(bad.body).not.toContain('<script>ran()');
    expect(bad.body).toContain('&lt;/textarea&gt;&lt;script&gt;ran()&lt;/script&gt;</textarea>');
  });

  test('refuses a form that is too large or broken', async () => {
    const { statusCode } = await post({ transaction: 'A'.repeat(400_000) });
    expect(statusCode).toBe(413);
    const broken = await mirror.app.inject({
      method: 'POST',
      url: '/ledger/fees',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: '--b\r\n',
    });
    expect([broken.statusCode, broken.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  });
});
