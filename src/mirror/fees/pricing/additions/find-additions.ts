import { type EntityId, encodeEntityId } from '../../../../values/entity-id.ts';
import { bareHex } from '../../../../values/hex.ts';
import type { AccountIdFields, TokenIdFields } from '../../decode/transaction-fields.ts';
import type { FeeStateSource } from '../fee-state.ts';
import type { AdditionCounts } from './fee-addition.ts';
import type { PossibleAdditions } from './possible-additions.ts';

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
