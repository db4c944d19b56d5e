import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from '../../src/index.ts';
import type { Delivery } from '../../src/status/subscribers/delivery-queue.ts';
import type { WebhookRequest } from '../../src/status/subscribers/post-webhook.ts';
import { createSendDelivery } from '../../src/status/subscribers/send-delivery.ts';

/** What pages show in JavaScript is run as it stands there, but for the place that the package is taken from. */
const exampleOf = (page: string, expected: RegExp) => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  expect(example).toMatch(expected);
  return example;
};

test('the example for tests in JavaScript runs and finds what it loads', async () => {
  const example = exampleOf('testing.md', /^import \{ start \} from 'ledgerlens';\n/).replace(
    /^import .*\n/,
    '',
  );
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (given: typeof start) => Promise<unknown>;
  const account = await new AsyncFunction('start', `${example}\nreturn account;`)(start);
  expect(account).toMatchObject({ account: '0.0.1001', memo: 'first', balance: { balance: 500 } });
});

test('the example for receivers of notifications accepts what is sent, and nothing else', async () => {
  const example = exampleOf('status-page.md', /^function isGenuine\(/m);
  const module = `data:text/javascript,${encodeURIComponent(`${example}\nexport { isGenuine };`)}`;
  const { isGenuine } = (await import(/* @vite-ignore */ module)) as {
    isGenuine(bytes: Uint8Array, header: string | undefined, secret: string): boolean;
  };
  const delivery: Delivery = {
    id: 'd',
    subscriberId: 's',
    mode: 'webhook',
    endpoint: 'https://a.example.org/',
    secret: 'a secret',
    attempts: 0,
    generatedAt: '2026-03-02T09:00:00.000Z',
    payload: '{"page":{}}',
  };
  const sent: WebhookRequest[] = [];
  const send = createSendDelivery({
    post: async (request) => {
      sent.push(request);
      return 200;
    },
    mailer: null,
    mailDomain: 'ledger.example.org',
    site: () => ({ apiUrl: 'https://ledger.example.org', pageId: 'p', version: '1.2.3' }),
    readPage: async () => ({ name: 'page', url: 'https://ledger.example.org/status' }),
  });
  await send(delivery, new AbortController().signal);
  const [{ body, headers }] = sent as [WebhookRequest];
  const signature = headers['X-Ledgerlens-Signature'];
  expect(isGenuine(body, signature, delivery.secret)).toBe(true);
  expect(isGenuine(Buffer.concat([body, Buffer.from(' ')]), signature, delivery.secret)).toBe(false);
  expect(isGenuine(body, signature, 'another secret')).toBe(false);
  expect(isGenuine(body, undefined, delivery.secret)).toBe(false);
});
