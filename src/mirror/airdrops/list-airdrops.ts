import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest } from '../errors.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { accountPart, type CheckedPart, partChecks, tokenPart } from '../parameters/key-parts.ts';
import { isCrossed, readOrderedKeys } from '../parameters/ordered-keys.ts';
import { orderedPage } from '../parameters/ordered-page.ts';
import { ownerInPath } from '../parameters/owner-in-path.ts';
import type { PageSettings } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { strictPageChecks, strictPageRequest } from '../parameters/strict-limit.ts';
import type { AirdropRepository, AirdropSelection, PendingAirdrop } from './airdrop-repository.ts';

export interface ListAirdropsDependencies {
  readonly airdrops: AirdropRepository;
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const DIGITS = /^\d{1,19}$/;
/** As a path names them. */
const SIDES = {
  outstanding: { side: 'sender', other: 'receiver' },
  pending: { side: 'receiver', other: 'sender' },
} as const;

/**
 * Answers the lists of airdrops that wait: those that an account sent, and those that it may claim.
 *
 * @throws MirrorApiError 400 for bad parameters, 404 for an address or alias that nobody has.
 * @see contracts/mirror-entities.md sections 1.5 and 4
 */
export async function listAirdrops(
  list: keyof typeof SIDES,
  idOrAliasOrEvmAddress: string,
  target: string,
  { airdrops, maxRepeated, names, page }: ListAirdropsDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const account = await ownerInPath(idOrAliasOrEvmAddress, names);
  const { other, side } = SIDES[list];
  const parts = [accountPart(`${other}.id`, names), tokenPart('token.id', names), SERIAL];
  const checks = { ...partChecks(parts), ...strictPageChecks(page) };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = strictPageRequest(values, page);
  const conditions = await readOrderedKeys(values, parts);
  const [ofOther] = conditions;
  if (ofOther !== undefined && isCrossed(ofOther)) {
    throw invalidRequest([`Invalid range provided for ${other}.id`]);
  }
  const { order } = request;
  // One more tells whether a page follows.
  const selection: AirdropSelection = { side, account, conditions, order, limit: request.limit + 1 };
  const found = await airdrops.page(selection);
  const cursorOf = (row: PendingAirdrop) =>
    row.serial === 0n ? [row[other], row.token] : [row[other], row.token, row.serial];
  const { next, shown } = orderedPage({ found, request, page, target, values, parts, conditions, cursorOf });
  return { json: printExactJson({ airdrops: shown.map(airdropJson), links: { next } }), next };
}

/** Fungible tokens have the serial number 0 here. */
const SERIAL: CheckedPart = {
  parameter: 'serialnumber',
  check: (text) => {
    const filter = parseFilter(text);
    return filter !== null && DIGITS.test(filter.value) && BigInt(filter.value) <= MAX_INT64;
  },
  read: BigInt,
  print: String,
};

function airdropJson({ amount, receiver, sender, serial, since, token }: PendingAirdrop): ExactJson {
  return {
    amount,
    receiver_id: printEntityId(receiver),
    sender_id: printEntityId(sender),
    serial_number: serial === 0n ? null : serial,
    timestamp: { from: printTimestamp(since), to: null },
    token_id: printEntityId(token),
  };
}
