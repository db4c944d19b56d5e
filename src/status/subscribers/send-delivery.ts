import { slackMessage } from './chat/slack-message.ts';
import { teamsMessage } from './chat/teams-message.ts';
import type { Delivery } from './delivery-queue.ts';
import { type DeliverySite, deliveryRequest } from './delivery-request.ts';
import type { Mailer } from './mail/mailer.ts';
import { newsMail } from './mail/news-mail.ts';
import { type News, newsOf } from './news.ts';
import type { PostWebhook, WebhookRequest } from './post-webhook.ts';
import type { SubscriberMode } from './subscriber.ts';
import { unsubscribeKey } from './unsubscribe.ts';

/**
 * Brings one delivery to its subscriber.
 *
 * @returns null: it took it; otherwise why not.
 * @throws Error when there is no answer.
 */
export type SendDelivery = (delivery: Delivery, signal: AbortSignal) => Promise<string | null>;

interface SendDeliveryParts {
  readonly post: PostWebhook;
  /** Null: no mail is sent. */
  readonly mailer: Mailer | null;
  /** Domain of the sender of mails. */
  readonly mailDomain: string;
  readonly site: () => DeliverySite;
  /** How the page is called now, and where it is. */
  readonly readPage: () => Promise<{ readonly name: string; readonly url: string }>;
}

/** The mode of a subscriber decides what its news look like on the wire, and nothing else. */
export function createSendDelivery(parts: SendDeliveryParts): SendDelivery {
  const { post, mailer, mailDomain, site, readPage } = parts;
  const messages: Readonly<Record<Exclude<SubscriberMode, 'webhook' | 'email'>, (news: News) => object>> = {
    slack: slackMessage,
    teams: teamsMessage,
  };

  async function requestOf(delivery: Delivery): Promise<WebhookRequest> {
    const { mode, id, endpoint, payload } = delivery;
    if (mode !== 'slack' && mode !== 'teams') return deliveryRequest(delivery, site());
    return {
      url: endpoint,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `Ledgerlens/${site().version}`,
        'X-Ledgerlens-Delivery': id,
      },
      body: Buffer.from(JSON.stringify(messages[mode](newsOf(payload, await readPage())))),
    };
  }

  return async (delivery, signal) => {
    if (delivery.mode !== 'email') {
      const status = await post(await requestOf(delivery), signal);
      return status >= 200 && status <= 299 ? null : `the response was ${status}`;
    }
    if (mailer === null) return 'STATUS_SMTP_URL is not set';
    const { id, endpoint, payload, subscriberId, secret } = delivery;
    const key = unsubscribeKey({ id: subscriberId, secret });
    const addresses = {
      to: endpoint.slice('mailto:'.length),
      unsubscribeUrl: `${site().apiUrl}/status/unsubscribe/${subscriberId}/${key}`,
      id,
      domain: mailDomain,
    };
    await mailer.send(newsMail(newsOf(payload, await readPage()), addresses), signal);
    return null;
  };
}
