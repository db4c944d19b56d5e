import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { base64, FixtureFault, flag, idIn, integer, required, time } from '../../items/fixture-members.ts';
import type { FixtureKind } from './facet.ts';
import type { NftStatement } from './nfts.ts';

const FIRST_NANOSECOND = consensusTimestamp(0n);

/** An NFT as `tokens/{id}/nfts/{serial}` shows it; what is left out has the default of a new one. */
export const nftLine: FixtureKind<NftStatement> = {
  kind: 'nft',
  read(line, { home }) {
    const id = idIn(home);
    const serial = required(line, 'serial_number', integer);
    if (serial < 1n) throw new FixtureFault(`"serial_number" must be 1 or more, not ${serial}`);
    const createdTimestamp = time(line, 'created_timestamp');
    return {
      rows: [
        {
          kind: 'statement',
          token: required(line, 'token_id', id),
          serial,
          account: id(line, 'account_id'),
          spender: id(line, 'spender'),
          delegatingSpender: id(line, 'delegating_spender'),
          createdTimestamp,
          changedTimestamp: time(line, 'modified_timestamp') ?? createdTimestamp ?? FIRST_NANOSECOND,
          isDeleted: flag(line, 'deleted') ?? false,
          metadata: base64(line, 'metadata'),
        },
      ],
    };
  },
};
