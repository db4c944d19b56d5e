import { createHmac } from 'node:crypto';
import { html, printHtml } from '../../pages/html.ts';
import { slackMessage, teamsMessage } from './chat/messages.ts';
import type { Delivery } from './delivery-queue.ts';
import type { Mail, Mailer } from './mail/mailer.ts';
import { type News, newsOf } from './news.ts';
import type { PostWebhook, WebhookRequest } from './post-webhook.ts';
import { type SubscriberMode, unsubscribeKey } from './subscriber.ts';

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
    const { payload, subscriberId, secret } = delivery;
    const key = unsubscribeKey({ id: subscriberId, secret });
    const unsubscribeUrl = `${site().apiUrl}/status/unsubscribe/${subscriberId}/${key}`;
    const news = newsOf(payload, await readPage());
    await mailer.send(newsMail(news, delivery, unsubscribeUrl, mailDomain), signal);
    return null;
  };
}

/** Longer subjects are cut by readers of mail. */
const SUBJECT = 200;

/**
 * News as a mail: a text, the same as simple HTML, and how to get no more of them.
 *
 * @param domain of the sender, for the id of the message
 * @see RFC 2369 and RFC 8058 (List-Unsubscribe), RFC 3834 (Auto-Submitted)
 */
function newsMail(
  news: News,
  { id, endpoint }: Pick<Delivery, 'id' | 'endpoint'>,
  unsubscribeUrl: string,
  domain: string,
): Mail {
  const { title, text, link, pageName, pageUrl } = news;
  const why = `You receive this email because this address is subscribed to ${pageName}, ${pageUrl}`;
  const paragraphs = text.split(/\n{2,}/).filter((each) => each.trim() !== '');
  return {
    to: endpoint.slice('mailto:'.length),
    subject: [...`[${pageName}] ${title}`.replace(/\s+/g, ' ')].slice(0, SUBJECT).join(''),
    text: `${[title, text, `Details: ${link}`, `-- \n${why}\nUnsubscribe: ${unsubscribeUrl}`].filter((each) => each !== '').join('\n\n')}\n`,
    html: printHtml(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
${paragraphs.map(
  (
    paragraph,
  ) => html`<p>${paragraph.split('\n').map((line, index) => html`${index === 0 ? null : html`<br>`}${line}`)}</p>
`,
)}<p><a href="${link}">Details</a></p>
<hr>
<p><small>${why}<br><a href="${unsubscribeUrl}">Unsubscribe</a></small></p>
</body></html>
`),
    messageId: `<${id}@${domain}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      'X-Ledgerlens-Delivery': id,
    },
  };
}

/** What a delivery tells beside its news. */
export interface DeliverySite {
  /** Address under which the APIs stand, without a slash at the end. */
  readonly apiUrl: string;
  readonly pageId: string;
  /** Of this product. */
  readonly version: string;
}

/**
 * The request that brings a delivery to its subscriber: the same bytes and headers at each attempt.
 *
 * The signature is an HMAC-SHA256 of the exact bytes of the body; its key is the text of the secret.
 *
 * @see contracts/status.md section 11
 */
function deliveryRequest(delivery: Delivery, site: DeliverySite): WebhookRequest {
  const { id, subscriberId, endpoint, secret, generatedAt, payload } = delivery;
  const meta = {
    unsubscribe: `${site.apiUrl}/v1/pages/${site.pageId}/subscribers/${subscriberId}`,
    documentation: `${site.apiUrl}/docs`,
    generated_at: generatedAt,
  };
  // The stored text is passed on as it is: parsing and printing it again could change it.
  const body = Buffer.from(`{"meta":${JSON.stringify(meta)},${payload.slice(1)}`);
  return {
    url: endpoint,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `Ledgerlens/${site.version}`,
      'X-Ledgerlens-Delivery': id,
      'X-Ledgerlens-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  };
}
