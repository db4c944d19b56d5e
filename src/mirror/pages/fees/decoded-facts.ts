import { type Html, html } from '../../../pages/html.ts';
import { encodeEntityId, printEntityId } from '../../../values/entity-id.ts';
import type { DecodedTransaction } from '../../fees/decode/decode-transaction.ts';
import type { AccountIdFields, TransferFields } from '../../fees/decode/transaction-fields.ts';
import { grouped, hbar, signed } from '../parts/amounts.ts';
import { facts, wideTable } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { utcWithNanos } from '../parts/times.ts';
import { typeInWords } from '../words/type-words.ts';

const NANOS = 1_000_000_000n;
/** Rows of a list that are shown. */
const MAX_ROWS = 50;

/** What a pasted transaction is. @param neededTinybars the estimate by the exchange rate of now; null without one */
export function decodedFacts(
  transaction: DecodedTransaction,
  neededTinybars: bigint | null,
  links: LedgerLinks,
): Html {
  const { byteLength, id, member, memo, offeredFee, signatureCount } = transaction;
  const name = (member ?? '').toUpperCase();
  const start = id?.transactionValidStart;
  return html`${facts([
    ['Type', html`${typeInWords(name)} <span class="muted code">${name}</span>`],
    ['Payer', id?.accountID === undefined ? 'none' : accountText(id.accountID, links)],
    [
      'Valid start',
      start === undefined
        ? null
        : html`${utcWithNanos((start.seconds ?? 0n) * NANOS + BigInt(start.nanos ?? 0))} UTC`,
    ],
    ['Memo', memo === undefined || memo === '' ? null : html`<bdi>${memo}</bdi>`],
    [
      'Signatures',
      signatureCount === 0 ? '0 (not signed yet; SDKs estimate without signatures)' : String(signatureCount),
    ],
    ['Size', `${grouped(BigInt(byteLength))} bytes`],
    ['Fee offered', offeredFee === undefined ? null : offered(offeredFee, neededTinybars)],
  ])}
${transfers(transaction, links)}`;
}

function offered(fee: bigint, needed: bigint | null): string {
  if (needed === null) return hbar(fee);
  return `${hbar(fee)}: ${fee >= needed ? 'enough for the estimate' : 'less than the estimate'}`;
}

function transfers({ body, member }: DecodedTransaction, links: LedgerLinks): Html | null {
  if (member !== 'cryptoTransfer' && member !== 'tokenAirdrop') return null;
  const { tokenTransfers = [], transfers: list } = body as TransferFields;
  const rows: Html[] = (list?.accountAmounts ?? []).map(({ accountID, amount = 0n }) =>
    row(accountText(accountID ?? {}, links), 'ℏ', signed(amount, hbar(amount))),
  );
  for (const { nftTransfers = [], token, transfers: amounts = [] } of tokenTransfers) {
    const id = token === undefined ? 'no token' : idText(token.shardNum, token.realmNum, token.tokenNum);
    for (const { accountID, amount = 0n } of amounts) {
      rows.push(row(accountText(accountID ?? {}, links), id, signed(amount, grouped(amount))));
    }
    for (const { receiverAccountID, senderAccountID } of nftTransfers) {
      const from = accountText(senderAccountID ?? {}, links);
      rows.push(row(html`${from} to ${accountText(receiverAccountID ?? {}, links)}`, id, 'one NFT'));
    }
  }
  if (rows.length === 0) return null;
  return html`${wideTable(
    'Transfers',
    html`<table class="data">
<caption>Transfers</caption>
<thead><tr><th scope="col">Account</th><th scope="col">Of</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${rows.slice(0, MAX_ROWS)}</tbody>
</table>`,
  )}
${rows.length > MAX_ROWS ? html`<p class="muted small">Only the first ${MAX_ROWS} of ${rows.length}.</p>` : null}`;
}

function row(account: Html, of: string, amount: string): Html {
  return html`<tr><th scope="row">${account}</th><td>${of}</td><td class="number">${amount}</td></tr>
`;
}

function accountText({ accountNum, alias, realmNum, shardNum }: AccountIdFields, links: LedgerLinks): Html {
  if (alias !== undefined && alias.length > 0) {
    const hex = Buffer.from(alias).toString('hex');
    return html`<span class="code">${alias.length === 20 ? `0x${hex}` : `alias 0x${hex}`}</span>`;
  }
  const id = encodeEntityId(shardNum ?? 0n, realmNum ?? 0n, accountNum ?? 0n);
  return id === null ? html`${idText(shardNum, realmNum, accountNum)}` : links.entity(printEntityId(id));
}

/** The ids of all accounts that transactions name. */
export function* accountsIn(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  const { accountNum, realmNum, shardNum } = value as AccountIdFields;
  if (accountNum !== undefined) yield idText(shardNum, realmNum, accountNum);
  for (const each of Object.values(value)) yield* accountsIn(each);
}

function idText(shard = 0n, realm = 0n, num = 0n): string {
  return `${shard}.${realm}.${num}`;
}
