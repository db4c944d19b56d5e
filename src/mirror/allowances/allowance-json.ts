import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import type { Allowance, Approval } from './allowance-repository.ts';

/** An object of the list of hbar. */
export function allowanceJson(row: Allowance) {
  return {
    amount: row.amount,
    amount_granted: row.granted,
    ...partiesJson(row),
  } satisfies ExactJson;
}

/** An object of the list of tokens. */
export function tokenAllowanceJson(row: Allowance): ExactJson {
  return { ...allowanceJson(row), token_id: printEntityId(row.token) };
}

/** An object of the list of NFTs: only approvals in force are shown. */
export function approvalJson(row: Approval): ExactJson {
  return { approved_for_all: true, ...partiesJson(row), token_id: printEntityId(row.token) };
}

function partiesJson({ owner, since, spender }: Approval) {
  return {
    owner: printEntityId(owner),
    spender: printEntityId(spender),
    timestamp: { from: printTimestamp(since), to: null },
  };
}
