import { Turns } from '../../../threads/turns.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { FeeAddition } from '../pricing/additions/fee-addition.ts';
import type { FeeEstimate } from '../pricing/estimate-fee.ts';
import type { ChargedExtra, FeePart } from '../pricing/price-transaction.ts';
import type { ScheduleOrigin } from '../schedule/fee-schedule-source.ts';
import type { DetailedEstimate, EstimatedList, InnerEstimates, MemberEstimate } from './detailed-estimate.ts';
import type { Money } from './fee-money.ts';

/** The type whose extras are explained, by its name in `TransactionBody.data`; null leaves explanations out. */
type ExplainedMember = string | null;

/**
 * The answer as JSON text, amounts in tinycents as exact integers.
 *
 * Printed by hand: a general printer takes as long as decoding and pricing together.
 *
 * @see contracts/fees-estimate.md section 2
 */
export function printFeeAnswer(estimate: FeeEstimate): string {
  return `{${printEstimate(estimate, null)}}`;
}

/** The same with the details that were asked for. @see contracts/fees-estimate.md section 12 */
export function printDetailedAnswer(detailed: DetailedEstimate): string {
  return `{${printDetails(detailed)}}`;
}

/** Microseconds that the text of a member takes. */
const MEMBER_MICROS = 50;

/** The answer of the JSON route, as `schemas.ts` describes it. */
export async function printListAnswer({ money, total, transactions }: EstimatedList): Promise<string> {
  const turns = new Turns();
  const members: string[] = [];
  for (const listed of transactions) {
    await turns.spend(MEMBER_MICROS * (1 + (listed.inner?.estimates.length ?? 0)));
    members.push(
      `{"type":${JSON.stringify(typeName(listed))},"transaction_id":${JSON.stringify(listed.transactionId)},` +
        `${printDetails(listed)}}`,
    );
  }
  return `{"transactions":[${members.join(',')}],"total":${total}${printMoney(money)}}`;
}

/** The name that transaction lists use, for example `CRYPTOTRANSFER`. */
export function typeName({ member }: Pick<MemberEstimate, 'member'>): string {
  return member.toUpperCase();
}

function printDetails(detailed: DetailedEstimate): string {
  return (
    printEstimate(detailed.estimate, detailed.isExplained ? detailed.member : null) +
    (detailed.inner === null ? '' : printInner(detailed.inner, detailed.isExplained)) +
    printMoney(detailed.money)
  );
}

function printInner({ estimates, total, totalWithOuter }: InnerEstimates, isExplained: boolean): string {
  const members = estimates.map(({ estimate, member }) => {
    const printed = printEstimate(estimate, isExplained ? member : null);
    return `{"type":${JSON.stringify(typeName({ member }))},${printed}}`;
  });
  return `,"inner":{"transactions":[${members.join(',')}],"total":${total}},"total_with_inner":${totalWithOuter}`;
}

function printMoney(money: Money | null): string {
  if (money === null) return '';
  const { hbar, rate, tinybars, usd } = money;
  return (
    `,"money":{"usd":"${usd}","hbar":"${hbar}","tinybars":${tinybars},` +
    `"exchange_rate":{"cent_equivalent":${rate.centEquivalent},"hbar_equivalent":${rate.hbarEquivalent},` +
    `"expiration_time":${rate.expirationTime},"timestamp":"${printTimestamp(rate.timestamp)}"}}`
  );
}

function printEstimate(estimate: FeeEstimate, explained: ExplainedMember): string {
  const { additions, highVolumeMultiplier, network, node, notes, service, total } = estimate;
  return (
    `"high_volume_multiplier":${highVolumeMultiplier},` +
    `"network":{"multiplier":${network.multiplier},"subtotal":${network.subtotal}},` +
    `"node":${printPart(node, explained)},"service":${printPart(service, explained)},"total":${total}` +
    `${additions.length === 0 ? '' : `,"additions":[${additions.map(printAddition).join(',')}]`}` +
    `${notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`}`
  );
}

function printPart({ base, extras }: FeePart, explained: ExplainedMember): string {
  const printed = extras.length === 0 ? '' : extras.map((extra) => printExtra(extra, explained)).join(',');
  return `{"base":${base},"extras":[${printed}]}`;
}

/** Names are those of the schedule; a schedule on file may spell one with anything. */
function printExtra(extra: ChargedExtra, explained: ExplainedMember): string {
  const { charged, count, feePerUnit, included, name, subtotal } = extra;
  return (
    `{"name":${JSON.stringify(name)},"included":${included},"count":${count},"charged":${charged},` +
    `"fee_per_unit":${feePerUnit},"subtotal":${subtotal}` +
    `${explained === null ? '' : `,"explanation":${JSON.stringify(explainExtra(explained, extra))}`}}`
  );
}

function printAddition({ count, feePerUnit, name, subtotal }: FeeAddition): string {
  return `{"name":"${name}","count":${count},"fee_per_unit":${feePerUnit},"subtotal":${subtotal}}`;
}

/** Value of the header `X-Fee-Schedule`. @see contracts/fees-estimate.md section 9.1 */
export function printScheduleOrigin(origin: ScheduleOrigin): string {
  return typeof origin === 'bigint' ? printTimestamp(origin) : origin;
}

const TOKEN_KEYS = 'the admin, fee schedule, freeze, KYC, metadata, pause, supply and wipe key';
const TOPIC_KEYS = 'the admin, fee schedule and submit key';

/** Where the keys of a type are. */
const KEYS: Readonly<Record<string, string>> = {
  consensusCreateTopic: TOPIC_KEYS,
  consensusUpdateTopic: `${TOPIC_KEYS} and the list of exempt keys`,
  contractCreateInstance: 'the admin key',
  contractUpdateInstance: 'the admin key',
  cryptoCreateAccount: "the account's key",
  cryptoUpdateAccount: "the account's new key",
  fileCreate: "the file's key list",
  fileUpdate: "the file's new key list",
  scheduleCreate: 'the admin key',
  tokenCreation: TOKEN_KEYS,
  tokenUpdate: TOKEN_KEYS,
};

/** What one unit of an extra is, and where it was counted. */
const UNITS: Readonly<Record<string, string>> = {
  SIGNATURES: 'pairs in the signature map, or the requested number',
  PROCESSING_BYTES: 'bytes of the whole signed transaction',
  ACCOUNTS: 'different accounts in the transfer lists, an alias and a number counting as two',
  ALLOWANCES: 'entries of the allowance lists',
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 'once, because the new topic has custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 'once, because the topic has custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 'bytes of the message, for a topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 'bytes of the message',
  GAS: 'gas limits of the hooks that are called, twice for hooks that run before and after',
  HOOK_EXECUTION: 'hooks that are called, twice for hooks that run before and after',
  HOOK_SLOT_UPDATE: 'storage slots and mapping entries to write',
  HOOK_UPDATES: 'hooks to create or to delete',
  NFT_UPDATE: 'serial numbers to update',
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 'once, because a contract call is scheduled',
  STATE_BYTES: "bytes of the file's contents",
  TOKEN_ASSOCIATE: 'tokens to associate',
  TOKEN_CREATE_WITH_CUSTOM_FEE: 'once, because the new token has custom fees or a fee schedule key',
  TOKEN_MINT_NFT: 'NFTs to mint, one for each metadata entry',
  TOKEN_MINT_NFT_BASE: 'once, because NFTs are minted',
  TOKEN_TRANSFER_BASE: 'once, because tokens without custom fees are moved',
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 'once, because a token with custom fees is moved',
  TOKEN_TYPES: 'fungible tokens and single NFTs to move; from the bytes alone, entries of one token list',
};

/**
 * One sentence about an extra: what was counted and where.
 *
 * @param member name of the type in `TransactionBody.data`.
 * @see contracts/fees-estimate.md section 12, explanation
 */
export function explainExtra(member: string, { charged, count, included, name }: ChargedExtra): string {
  const keys = KEYS[member];
  const unit = name === 'KEYS' && keys !== undefined ? `keys in ${keys}` : (UNITS[name] ?? 'units');
  const covered = included === 0n ? 'none is' : included === 1n ? '1 is' : `${included} are`;
  return `${count} counted (${unit}); ${covered} covered by the base fee, ${charged} charged.`;
}
