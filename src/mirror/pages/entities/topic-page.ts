import { type Html, html } from '../../../pages/html.ts';
import { readQuery } from '../../parameters/query-text.ts';
import type { MessagesDocument } from '../ask/documents.ts';
import type { LedgerQuestions } from '../ask/ledger-questions.ts';
import { grouped } from '../parts/amounts.ts';
import { readable, shortened } from '../parts/bytes-as-text.ts';
import { keyText } from '../parts/key-text.ts';
import { apiRequest, facts, nothing, type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { cursorOf, fromCursor, nextPage } from '../parts/next-page.ts';
import { fullTime, shortTime } from '../parts/times.ts';

const ROWS = 25;
const SHOWN_MESSAGE = 1000;

/**
 * `/ledger/topics/{id}` with its newest messages.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
export async function topicPage(
  text: string,
  target: string,
  context: PageContext,
  questions: LedgerQuestions,
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const found = await questions.topic(text);
  const topic = found.document;
  const list = await questions.messages(
    topic.topic_id,
    `?order=desc&limit=${ROWS}${fromCursor(cursor, 'timestamp')}`,
  );
  const links = await context.linksTo(topic, list.document);
  const { messages } = list.document;
  const path = `${context.site.root}/ledger/topics/${topic.topic_id}`;
  return renderLedgerPage(context, {
    title: `Topic ${topic.topic_id}`,
    tab: null,
    main: html`<h1>Topic ${topic.topic_id}${topic.deleted === true ? html` <span class="mark failed">Deleted</span>` : null}</h1>
${facts([
  ['Memo', topic.memo === '' ? null : topic.memo],
  ['Created', topic.created_timestamp === null ? null : fullTime(topic.created_timestamp)],
  ['Admin key', topic.admin_key === null ? null : keyText(topic.admin_key)],
  ['Submit key', topic.submit_key === null ? 'none (open to everyone)' : keyText(topic.submit_key)],
  ['Fee schedule key', topic.fee_schedule_key === null ? null : keyText(topic.fee_schedule_key)],
  ['Auto-renew account', topic.auto_renew_account === null ? null : links.entity(topic.auto_renew_account)],
  [
    'Custom fees',
    topic.custom_fees.fixed_fees.length === 0
      ? 'none'
      : `${topic.custom_fees.fixed_fees.length}, see the JSON`,
  ],
])}
<h2>${cursor === null ? 'Newest messages' : 'Messages'}</h2>
${messages.length === 0 ? nothing('No messages.') : messageTable(messages, links)}
${nextPage(path, cursor, list.document.links.next)}
${apiRequest(context, [found.target, list.target])}`,
  });
}

function messageTable(messages: MessagesDocument['messages'], links: LedgerLinks): Html {
  return html`<table class="data rows">
<caption class="unseen">Messages</caption>
<thead><tr><th scope="col">Message</th><th scope="col">Consensus time, UTC</th><th scope="col">Payer</th><th scope="col" class="number">Number</th></tr></thead>
<tbody>
${messages.map(({ chunk_info, consensus_timestamp, message, payer_account_id, sequence_number }) => {
  const { isText, text } = readable(message);
  const total = chunk_info?.total ?? 1n;
  return html`<tr><td class="lead">${text === '' ? html`<span class="muted">empty</span>` : html`<bdi${isText ? null : html` class="code"`}>${shortened(text, SHOWN_MESSAGE)}</bdi>`}${chunk_info !== null && total > 1n ? html`<span class="note small">Part ${chunk_info.number.toString()} of ${total.toString()}</span>` : null}</td>
<td>${links.transaction(consensus_timestamp, shortTime(consensus_timestamp))}</td>
<td data-label="Payer">${links.entity(payer_account_id)}</td>
<td data-label="Number" class="number">${grouped(sequence_number)}</td></tr>
`;
})}</tbody>
</table>`;
}
