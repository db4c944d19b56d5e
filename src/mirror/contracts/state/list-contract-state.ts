import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { printEntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { invalidRequest } from '../../errors.ts';
import { printExactJson } from '../../ledger/exact-json.ts';
import { andIntegers } from '../../parameters/anded-integers.ts';
import { checkParameters } from '../../parameters/check-parameters.ts';
import { cursorPage } from '../../parameters/cursor-page.ts';
import type { EntityNames } from '../../parameters/entity-in-path.ts';
import { type PageSettings, pageChecks, pageRequest } from '../../parameters/page-parameters.ts';
import { readQuery } from '../../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../../parameters/timestamp-text.ts';
import { selectWords, wordBytes, wordDigits } from '../../parameters/word-text.ts';
import type { ContractAddresses } from '../contract-addresses.ts';
import { contractBelow } from '../contract-below.ts';
import type { ContractStateRepository } from './contract-state-repository.ts';

export interface ContractStateDependencies {
  readonly state: ContractStateRepository;
  readonly addresses: ContractAddresses;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const SLOT = /^((eq|gt|gte|lt|lte):)?(0x)?[\dA-Fa-f]{1,64}$/;
const SLOT_DIGITS = 64;
const NOT_EQUALS = 'Not equals (ne) operator is not supported for timestamp';

/**
 * Answers `GET /api/v1/contracts/{id}/state`: the slots as they are, or as they were set within times.
 *
 * @throws MirrorApiError 400 for another form of the contract or bad parameters.
 * @see contracts/mirror-contracts.md section 7
 */
export async function listContractState(
  contractText: string,
  target: string,
  { addresses, maxRepeated, names, page, state }: ContractStateDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const contract = await contractBelow(contractText, names);
  const checks = {
    ...pageChecks(page),
    slot: (text: string) => SLOT.test(text),
    timestamp: isTimestampCondition,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page, 'asc');
  const times = timesOf(values.get('timestamp') ?? []);
  const slots = selectWords(values.get('slot') ?? []);
  const { equal, lower, upper } = slots;
  const isImpossible = lower > upper || (times !== null && times.lower > times.upper);
  const found =
    contract === null || isImpossible
      ? []
      : await state.page({
          ...{ contract, times, lower: wordBytes(lower), upper: wordBytes(upper) },
          equal: equal === null ? null : [...equal].map(wordBytes),
          order: request.order,
          // One more tells whether a page follows.
          limit: request.limit + 1,
        });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'slot',
      of: ({ slot }) => BigInt(`0x${bareHex(slot)}`),
      print: (slot) => `0x${wordDigits(slot)}`,
      selection: slots,
    },
    found,
    page,
    request,
    target,
    values,
  });
  const id = contract ?? 0n;
  const address = shown.length === 0 ? null : ((await addresses.addressesOf([id])).get(id) ?? null);
  const rows = shown.map(({ consensusTimestamp, slot, value }) => ({
    address,
    contract_id: printEntityId(id),
    timestamp: printTimestamp(consensusTimestamp),
    slot: `0x${bareHex(slot)}`,
    value: `0x${bareHex(value).padStart(SLOT_DIGITS, '0')}`,
  }));
  return { json: printExactJson({ state: rows, links: { next } }), next };
}

/** Null without conditions; a time alone means at or before. */
function timesOf(texts: readonly string[]): { readonly lower: bigint; readonly upper: bigint } | null {
  if (texts.length === 0) return null;
  const conditions = timestampConditions(texts);
  if (conditions.some(({ operator }) => operator === 'ne')) throw invalidRequest([NOT_EQUALS]);
  return andIntegers(
    conditions.map(({ operator, value }) => ({ operator: operator === 'eq' ? 'lte' : operator, value })),
  );
}
