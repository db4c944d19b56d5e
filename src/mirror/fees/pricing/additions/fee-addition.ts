import { type EntityId, encodeEntityId } from '../../../../values/entity-id.ts';
import { bareHex } from '../../../../values/hex.ts';
import { gasLimitOfEthereum } from '../../../evm/ethereum-form.ts';
import type { AccountIdFields, TokenIdFields, TransferFields } from '../../decode/transaction-fields.ts';
import type { FeeSchedule } from '../../schedule/fee-schedule.ts';
import { addTinycents, multiplyTinycents } from '../../tinycents.ts';
import type { FeeStateSource } from '../fee-state.ts';
import { networkAndNodeFee } from '../price-transaction.ts';

/** Something that the network may charge beside the estimate's total. Amounts in tinycents. */
export interface FeeAddition {
  /** A name of the schedule, or `CREATED_ACCOUNTS`. */
  readonly name: string;
  readonly count: bigint;
  readonly feePerUnit: bigint;
  readonly subtotal: bigint;
}

/** How many units of each addition were found. */
interface AdditionCounts {
  readonly gas: bigint;
  readonly createdAccounts: number;
  readonly airdrops: number;
  readonly associations: number;
}

/**
 * Prices what was found; additions without units, and those that the schedule has no price for, are left out.
 *
 * @see contracts/fees-estimate.md section 12, costs outside the calculators
 */
export function priceAdditions(counts: AdditionCounts, schedule: FeeSchedule): readonly FeeAddition[] {
  const rows: readonly (readonly [string, bigint, bigint | undefined])[] = [
    ['GAS', counts.gas, schedule.extraFees.get('GAS')],
    ['CREATED_ACCOUNTS', BigInt(counts.createdAccounts), priceOfCreation(schedule)],
    ['AIRDROPS', BigInt(counts.airdrops), schedule.extraFees.get('AIRDROPS')],
    ['TOKEN_ASSOCIATE', BigInt(counts.associations), schedule.extraFees.get('TOKEN_ASSOCIATE')],
  ];
  return rows.flatMap(([name, count, feePerUnit]) =>
    count === 0n || feePerUnit === undefined
      ? []
      : [{ name, count, feePerUnit, subtotal: multiplyTinycents(count, feePerUnit) }],
  );
}

/** A plain CryptoCreate with one signature. */
function priceOfCreation(schedule: FeeSchedule): bigint | undefined {
  const creation = schedule.definitions.get('CryptoCreate');
  if (creation === undefined) return undefined;
  return addTinycents(creation.baseFee, creation.nodeNetworkFeeExempt ? 0n : networkAndNodeFee(schedule));
}

/** As many tokens as an account asks for are taken without a pending airdrop. */
const UNLIMITED = -1n;

interface Receiver {
  /** Null: the ledger does not know it. */
  readonly id: EntityId | null;
  readonly takesAnyToken: boolean;
}

/**
 * Asks the ledger's state what of the possible additions will or may be charged.
 *
 * A receiver that the imported ledger never named counts as created; an association counts as missing when the ledger
 * tells that there is none, and for a receiver that is created. What the ledger cannot tell is not counted.
 *
 * @throws whatever the state source throws.
 * @see contracts/fees-estimate.md section 12, costs outside the calculators
 */
export async function findAdditions(
  { gas, isAirdrop, receipts }: PossibleAdditions,
  state: FeeStateSource,
): Promise<AdditionCounts> {
  const receivers = new Map<string, Receiver>();
  const associations = new Map<string, boolean>();
  let airdrops = 0;
  for (const { account, token } of receipts) {
    const receiverKey = keyOf(account, account.alias === undefined ? account.accountNum : account.alias);
    const receiver = receivers.get(receiverKey) ?? (await lookUp(account, state));
    receivers.set(receiverKey, receiver);
    if (token === null) continue;
    const pair = `${receiverKey} ${keyOf(token, token.tokenNum)}`;
    const isMissing = associations.get(pair) ?? (await lacksAssociation(receiver, token, state));
    associations.set(pair, isMissing);
    if (isAirdrop && isMissing && !receiver.takesAnyToken) airdrops += 1;
  }
  return {
    gas,
    createdAccounts: [...receivers.values()].filter(({ id }) => id === null).length,
    airdrops,
    associations: [...associations.values()].filter(Boolean).length,
  };
}

async function lookUp(account: AccountIdFields, state: FeeStateSource): Promise<Receiver> {
  const named =
    account.alias === undefined
      ? encodeEntityId(account.shardNum ?? 0n, account.realmNum ?? 0n, account.accountNum ?? 0n)
      : await state.accountByAlias(account.alias);
  const facts = named === null ? null : await state.account(named);
  // A new account takes any token.
  if (named === null || facts === null) return { id: null, takesAnyToken: true };
  return { id: named, takesAnyToken: facts.maxAutomaticAssociations === UNLIMITED };
}

async function lacksAssociation(
  { id }: Receiver,
  { realmNum = 0n, shardNum = 0n, tokenNum = 0n }: TokenIdFields,
  state: FeeStateSource,
): Promise<boolean> {
  if (id === null) return true;
  const token = encodeEntityId(shardNum, realmNum, tokenNum);
  return token !== null && (await state.isAssociated(id, token)) === false;
}

function keyOf(
  { realmNum = 0n, shardNum = 0n }: { readonly shardNum?: bigint; readonly realmNum?: bigint },
  last: bigint | Uint8Array | undefined,
): string {
  return `${shardNum}.${realmNum}.${last instanceof Uint8Array ? bareHex(last) : (last ?? 0n)}`;
}

/** An account that gets something. */
interface Receipt {
  readonly account: AccountIdFields;
  /** Null for hbar. */
  readonly token: TokenIdFields | null;
}

/** What the handling of a transaction may add to its price, as far as its bytes tell. */
export interface PossibleAdditions {
  /** Gas limit; 0 when the type has none. */
  readonly gas: bigint;
  readonly receipts: readonly Receipt[];
  /** True: a receipt that the account is not ready for becomes a pending airdrop. */
  readonly isAirdrop: boolean;
}

const NO_RECEIPTS: readonly Receipt[] = [];

/** Additions of a contract call or creation. */
export function gasOf(gas: bigint | undefined): PossibleAdditions {
  // A negative limit is refused by the network; it adds nothing.
  return { gas: gas === undefined || gas < 0n ? 0n : gas, receipts: NO_RECEIPTS, isAirdrop: false };
}

/** Additions of an Ethereum transaction; data in a file or in no known form adds nothing that could be told. */
export function gasOfEthereum(data: Uint8Array | undefined): PossibleAdditions {
  return gasOf((data === undefined ? null : gasLimitOfEthereum(data)) ?? 0n);
}

/** Additions of a transfer or airdrop: whoever is credited. Each NFT is a receipt of its own. */
export function receiptsOf(body: TransferFields, isAirdrop: boolean): PossibleAdditions {
  const receipts: Receipt[] = [];
  for (const { accountID, amount = 0n } of body.transfers?.accountAmounts ?? []) {
    if (accountID !== undefined && amount > 0n) receipts.push({ account: accountID, token: null });
  }
  for (const { nftTransfers = [], token = {}, transfers = [] } of body.tokenTransfers ?? []) {
    for (const { accountID, amount = 0n } of transfers) {
      if (accountID !== undefined && amount > 0n) receipts.push({ account: accountID, token });
    }
    for (const { receiverAccountID } of nftTransfers) {
      if (receiverAccountID !== undefined) receipts.push({ account: receiverAccountID, token });
    }
  }
  return { gas: 0n, receipts, isAirdrop };
}
