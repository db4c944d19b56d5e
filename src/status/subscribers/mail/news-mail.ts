import { html, printHtml } from '../../../pages/html.ts';
import type { News } from '../news.ts';
import type { Mail } from './mailer.ts';

/** What a mail needs beside its news. */
interface MailAddresses {
  readonly to: string;
  /** Ends the subscription. */
  readonly unsubscribeUrl: string;
  /** Of the delivery. */
  readonly id: string;
  /** Domain of the sender, for the id of the message. */
  readonly domain: string;
}

/** Longer subjects are cut by readers of mail. */
const SUBJECT = 200;

/**
 * News as a mail: a text, the same as simple HTML, and how to get no more of them.
 *
 * @see RFC 2369 and RFC 8058 (List-Unsubscribe), RFC 3834 (Auto-Submitted)
 */
export function newsMail(news: News, { domain, id, to, unsubscribeUrl }: MailAddresses): Mail {
  const { title, text, link, pageName, pageUrl } = news;
  const why = `You receive this email because this address is subscribed to ${pageName}, ${pageUrl}`;
  const paragraphs = text.split(/\n{2,}/).filter((each) => each.trim() !== '');
  return {
    to,
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
