import { type FixtureObject, idIn, integer, objects, required, time } from '../../items/fixture-members.ts';
import type { FixtureContext, Told } from './facet.ts';
import type { StatedSnapshot } from './snapshot-tables.ts';

/** Reads an item of `balances` with the time of its list. @see contracts/mirror-entities.md section 5 */
export function readSnapshotLine(line: FixtureObject, { home }: FixtureContext): Told<StatedSnapshot> {
  const id = idIn(home);
  return {
    rows: [
      {
        account: required(line, 'account', id),
        balance: integer(line, 'balance'),
        timestamp: required(line, 'timestamp', time),
        tokens: objects(line, 'tokens').map((each) => ({
          token: required(each, 'token_id', id),
          balance: required(each, 'balance', integer),
        })),
        isTime: true,
      },
    ],
  };
}
