import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type CaseSetup, id, idOrNull, integer, section, text, timeOrNull, timeRange } from './case-row.ts';

/** Section `nfts`; rows of the past tell when the NFT changed. */
export function nftSections(setup: CaseSetup): FixtureRows {
  return {
    nfts: section(setup, 'nfts').map((row) => {
      const createdTimestamp =
        row['created_timestamp'] === undefined
          ? consensusTimestamp(0n)
          : timeOrNull(row, 'created_timestamp');
      return {
        kind: 'statement',
        token: id(row, 'token_id'),
        serial: integer(row, 'serial_number'),
        account: known(idOrNull(row, 'account_id')),
        spender: idOrNull(row, 'spender'),
        delegatingSpender: idOrNull(row, 'delegating_spender'),
        createdTimestamp,
        changedTimestamp: consensusTimestamp(timeRange(row, createdTimestamp ?? 0n).lower),
        isDeleted: row['deleted'] === true,
        metadata: Buffer.from(text(row, 'metadata', '') ?? '', 'utf8'),
      };
    }),
  };
}

/** The all-zero id means nobody. */
function known<Id extends bigint>(given: Id | null): Id | null {
  return given === 0n ? null : given;
}
