import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { manageApp } from '../../../../test/kit/status/manage-app.ts';
import { type OpenStatusArea, openStatusArea } from '../../../../test/kit/status/open-status-area.ts';
import { HOSTILE_TEXTS } from '../../../../test/support/hostile-texts.ts';
import { freePort } from '../../../../test/support/serve-process.ts';
import { LOOK_MS } from '../delivery-worker.ts';

interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly data: string;
}

/** A mail server that takes everything, unless it is told to refuse; one command a line. */
async function aMailServer(at = 0) {
  const received: ReceivedMail[] = [];
  const state = { refuses: false, tried: 0, logins: [] as string[] };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let recipients: string[] = [];
    let lines: string[] | null = null;
    let rest = '';
    const say = (text: string) => socket.write(`${text}\r\n`);
    say('220 test');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString()).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (lines !== null) {
          if (line !== '.') lines.push(line);
          else {
            received.push({ recipients, data: lines.join('\n') });
            [recipients, lines] = [[], null];
            say('250 taken');
          }
        } else if (/^EHLO/i.test(line)) say('250-test\r\n250 AUTH PLAIN');
        else if (/^AUTH PLAIN /i.test(line)) {
          state.logins.push(Buffer.from(line.slice(11), 'base64').toString());
          say('235 welcome');
        } else if (/^RCPT TO:/i.test(line)) {
          state.tried += 1;
          recipients.push(line.slice(8));
          say(state.refuses ? '451 later' : '250 ok');
        } else if (/^DATA/i.test(line)) {
          lines = [];
          say('354 go on');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  await new Promise<void>((listening) => server.listen(at, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { received, state, port, url: `smtp://127.0.0.1:${port}` };
}

async function open(url: string): Promise<OpenStatusArea> {
  const opened = await openStatusArea({
    options: { mail: { url, from: 'Status <status@example.org>' } },
    startTimer: () => () => undefined,
  });
  onTestFinished(async () => {
    await opened.area.close();
    await opened.close();
  });
  await opened.area.start();
  return opened;
}

/** Quoted-printable and folded lines undone, as far as these mails need it. */
const readable = (data: string) =>
  data
    .replace(/=\n/g, '')
    .replace(/\n[ \t]+/g, ' ')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('mails to subscribers', () => {
  test('one to each, as text and HTML, with a way out of it', async () => {
    const { received, url } = await aMailServer();
    const { area } = await open(url);
    for (const email of ['ann@example.org', 'bob@example.org'])
      await area.service.createSubscriber({ mode: 'email', email });
    await area.service.createIncident({
      name: 'Reads <b>fail</b>',
      body: 'The disk is full.\n\nWe clean it.',
    });
    await expect.poll(() => received.length).toBe(2);
    expect(received.map(({ recipients }) => recipients).sort()).toEqual([
      ['<ann@example.org>'],
      ['<bob@example.org>'],
    ]);
    const text = readable(
      received.find(({ recipients }) => recipients.includes('<ann@example.org>'))?.data ?? '',
    );
    expect(text).toMatch(/^From: Status <status@example\.org>$/m);
    expect(text).toMatch(/^Subject: \[Ledgerlens\] Investigating: Reads <b>fail<\/b>$/m);
    expect(text).toMatch(
      /^List-Unsubscribe: <https:\/\/ledger\.example\.org\/status\/unsubscribe\/\w+\/[\w-]+>$/m,
    );
    expect(text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(text).toMatch(/^Message-ID: <\w+-\w+@example\.org>$/m);
    expect(text).toContain('Content-Type: text/plain');
    expect(text).toContain('<p>The disk is full.</p>\n<p>We clean it.</p>');
    expect(text).toContain('<h1>Investigating: Reads &lt;b&gt;fail&lt;/b&gt;</h1>');
  });

  test.each([...HOSTILE_TEXTS, 'a\r\nBcc: eve@example.org\r\n\r\n<script>ran()</script>'])(
    '%j stays text in a mail, and makes no header',
    async (text) => {
      const { received, url } = await aMailServer();
      const { area } = await open(url);
      await area.service.updatePage({ name: text });
      await area.service.createSubscriber({ mode: 'email', email: 'ann@example.org' });
      await area.service.createIncident({ name: text, body: text });
      await expect.poll(() => received.length).toBe(1);
      const [mail] = received;
      expect(mail?.recipients).toEqual(['<ann@example.org>']);
      const [head = '', ...rest] = (mail?.data ?? '').split('\n\n');
      expect(head).not.toMatch(/^(?:bcc|<script)/im);
      const html = readable(rest.join('\n\n').replace(/^[\s\S]*Content-Type: text\/html/, ''));
      expect(html).toContain('<h1>');
      expect(html).not.toMatch(
        /<(?:script|img|iframe|style|svg|meta http-equiv=refresh)|<\w[^>]*\son\w+=|href="?(?:javascript|data:text)/i,
      );
    },
  );

  test('a server that refuses is tried again later', async () => {
    const { received, state, url } = await aMailServer();
    const { area, clock, logged, turn } = await open(url);
    await area.service.createSubscriber({ mode: 'email', email: 'ann@example.org' });
    state.refuses = true;
    await area.service.createIncident({ name: 'Reads fail' });
    await expect.poll(() => logged.filter((each) => each.includes('will be retried'))).toHaveLength(1);
    state.refuses = false;
    clock.advance(60_000);
    await turn(LOOK_MS);
    await expect.poll(() => received.length).toBe(1);
    expect(state.tried).toBe(2);
  });

  test('user and password of the address are told to the server', async () => {
    const { port, received, state } = await aMailServer();
    const { area } = await open(`smtp://ann%40example.org:pass%2Fword@127.0.0.1:${port}`);
    await area.service.createSubscriber({ mode: 'email', email: 'bob@example.org' });
    await area.service.createIncident({ name: 'Reads fail' });
    await expect.poll(() => received.length).toBe(1);
    expect(state.logins).toEqual(['\0ann@example.org\0pass/word']);
  });

  test('a server that is down gets the mail when it is back', async () => {
    const port = await freePort();
    const { area, clock, logged, turn } = await open(`smtp://127.0.0.1:${port}`);
    await area.service.createSubscriber({ mode: 'email', email: 'ann@example.org' });
    await area.service.createIncident({ name: 'Reads fail' });
    await expect.poll(() => logged.filter((each) => each.includes('will be retried'))).toHaveLength(1);
    const { received } = await aMailServer(port);
    clock.advance(60_000);
    await turn(LOOK_MS);
    await expect.poll(() => received.length).toBe(1);
  });

  test('the link in it asks, its button ends the subscription', async () => {
    const { received, url } = await aMailServer();
    const { area } = await open(url);
    const { id } = await area.service.createSubscriber({ mode: 'email', email: 'ann@example.org' });
    await area.service.createIncident({ name: 'Reads fail' });
    await expect.poll(() => received.length).toBe(1);
    const link = /List-Unsubscribe: <https:\/\/ledger\.example\.org([^>]+)>/.exec(
      readable(received[0]?.data ?? ''),
    );
    const path = link?.[1] ?? '';
    const app = await manageApp(area);
    onTestFinished(() => app.close());
    const asked = await app.inject(path);
    expect([asked.statusCode, asked.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(asked.body).toContain('<button>Unsubscribe</button>');
    expect((await app.inject(`${path}x`)).statusCode).toBe(404);
    expect(await area.service.readSubscriber(id)).toMatchObject({ mode: 'email', endpoint: null });
    const ended = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(ended.body).toContain('You will receive no more emails at this address.');
    await expect(area.service.readSubscriber(id)).rejects.toThrow();
    expect((await app.inject(path)).statusCode).toBe(404);
    expect((await area.repository.readAudit({ offset: 0, limit: 1 }))[0]).toMatchObject({
      actor: 'unsubscribe link',
      call: 'subscriber.delete',
    });
  });
});
