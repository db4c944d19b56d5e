import { bareHex } from '../../../values/hex.ts';
import { hex, id, itemOf, text, time } from '../../lists/fields.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { NOT_AFTER, orAny, times, words } from '../../lists/parameters.ts';
import { wordBytes, wordDigits, wordOfText } from '../../parameters/word-text.ts';
import type { ContractAddresses } from '../contract-addresses.sql.ts';
import { belowContract, timesSchema } from '../contract-below.ts';
import type { ContractStateRepository, SlotValue } from './contract-state-repository.sql.ts';

export interface ContractStateContext extends ListContext {
  readonly contractState: ContractStateRepository;
  readonly contractAddresses: ContractAddresses;
}

const WORD_DIGITS = 64;

const SLOT = itemOf<SlotValue & { readonly contract: bigint; readonly address: string | null }>()(
  {
    address: text.orNull(({ address }) => address),
    contract_id: id(({ contract }) => contract),
    slot: hex(({ slot }) => slot),
    timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
    value: text(({ value }) => `0x${bareHex(value).padStart(WORD_DIGITS, '0')}`),
  },
  'ContractSlot',
);

/** The slots as they are, or as they were set within times. @see contracts/mirror-contracts.md section 7 */
export const contractStateList = listOn<ContractStateContext>()({
  path: '/api/v1/contracts/:contractIdOrAddress/state',
  summary: 'Storage of a contract',
  name: 'state',
  order: ['asc'],
  byName: {},
  subject: belowContract,
  parameters: {
    slot: words('any', { pattern: '(0x)?[0-9A-Fa-f]{1,64}' }),
    timestamp: {
      ...orAny(
        times(NOT_AFTER, {
          withoutNe: 'Not equals (ne) operator is not supported for timestamp',
        }),
      ),
      schema: timesSchema(),
    },
  },
  rows: async ({ limit, order, slot, subject: contract, timestamp: times }, { contractState }) =>
    contract === null
      ? []
      : contractState.page({
          contract,
          times,
          lower: wordBytes(slot.lower),
          upper: wordBytes(slot.upper),
          equal: slot.equal === null ? null : [...slot.equal].map(wordBytes),
          order,
          limit,
        }),
  cursor: {
    parameter: 'slot',
    of: ({ slot }) => wordOfText(bareHex(slot)),
    print: (slot) => `0x${wordDigits(slot)}`,
  },
  async shown(slots, { subject }, { contractAddresses }) {
    const contract = subject ?? 0n;
    const address = (await contractAddresses.addressesOf([contract])).get(contract) ?? null;
    return slots.map((slot) => ({ ...slot, contract, address }));
  },
  item: SLOT,
});
