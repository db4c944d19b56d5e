import { describe, expect, onTestFinished, test } from 'vitest';
import { openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { receivers } from '../../../test/kit/status/receivers.ts';

async function open() {
  const { post, received } = receivers();
  const opened = await openStatusArea({ post, startTimer: () => () => undefined });
  onTestFinished(async () => {
    await opened.area.close();
    await opened.close();
  });
  await opened.area.start();
  return { service: opened.area.service, received };
}

describe('the mode of a subscriber', () => {
  test('decides what its news look like', async () => {
    const { received, service } = await open();
    for (const mode of ['webhook', 'slack', 'teams'])
      await service.createSubscriber({ mode, endpoint: `https://${mode}.example.org/hook` });
    await service.createIncident({ name: 'Reads & writes fail' });
    await expect.poll(() => received.length).toBe(3);
    const bodyOf = (mode: string) => {
      const request = received.find(({ url }) => url.includes(mode));
      return JSON.parse(Buffer.from(request?.body ?? []).toString());
    };
    expect(bodyOf('webhook')).toMatchObject({ incident: { name: 'Reads & writes fail' } });
    expect(bodyOf('slack')).toMatchObject({ text: 'Investigating: Reads &amp; writes fail' });
    expect(bodyOf('teams')).toMatchObject({
      type: 'message',
      attachments: [{ content: { type: 'AdaptiveCard' } }],
    });
    const signed = received.filter(({ headers }) => 'X-Ledgerlens-Signature' in headers);
    expect(signed.map(({ url }) => url)).toEqual(['https://webhook.example.org/hook']);
  });

  test.each([
    [
      { mode: 'sms', endpoint: 'https://a.example.org' },
      'Mode is not included in the list (webhook, slack, teams, email)',
    ],
    [{ mode: 'slack' }, "Endpoint can't be blank"],
    [{ mode: 'slack', endpoint: 'http://127.0.0.1/' }, 'private'],
    [{ email: 'ann@example.org' }, "Endpoint can't be blank"],
    [{ mode: 'email' }, "Email can't be blank"],
    [{ mode: 'email', email: 'ann@example.org' }, 'STATUS_SMTP_URL'],
    [{ mode: 'email', email: 'ann@example.org\r\nBcc: bob@example.org' }, 'Email is invalid'],
    [{ mode: 'email', email: 'ann,bob@example.org' }, 'Email is invalid'],
    [{ mode: 'email', email: 'ann@example.org;bob@example.org' }, 'Email is invalid'],
  ])('%o is refused', async (members, reason) => {
    const { service } = await open();
    await expect(service.createSubscriber(members)).rejects.toThrow(reason);
  });
});
