import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import {
  type FixtureObject,
  flag,
  idIn,
  integer,
  key,
  object,
  objects,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import type { FixtureContext, ToldLine } from './facet.ts';
import { readCustomFees } from './read-custom-fees.ts';
import type { TopicState } from './topics.ts';

const FIRST_NANOSECOND = consensusTimestamp(0n);
/** What the answer shows of a topic of which no fees are known. */
const NO_FEES = '0.0';
/** In `KeyList`. */
const KEYS = 1;

/**
 * Reads the object of `topics/{topicId}` as far as given.
 *
 * @see contracts/mirror-entities.md section 9.1
 */
export function readTopicLine(line: FixtureObject, { home }: FixtureContext): ToldLine<TopicState> {
  const topic = required(line, 'topic_id', idIn(home));
  const created = time(line, 'created_timestamp');
  const fees = object(line, 'custom_fees');
  const areFeesTold = fees !== null && fees['created_timestamp'] !== NO_FEES;
  const told = readCustomFees(fees ?? {}, { entity: topic, of: 'topic', since: FIRST_NANOSECOND }, home);
  const exempt = 'fee_exempt_key_list' in line ? objects(line, 'fee_exempt_key_list') : null;
  const row: TopicState = {
    topic,
    consensusTimestamp: told.consensusTimestamp,
    fixedFeeCount: told.fixedFees.length,
    adminKey: key(line, 'admin_key'),
    submitKey: key(line, 'submit_key'),
    feeScheduleKey: key(line, 'fee_schedule_key'),
    feeExemptKeys:
      exempt === null ? null : keyList(exempt.map((each) => required({ key: each }, 'key', key))),
  };
  const entity = { entity: topic, type: 'TOPIC' as const };
  const changed = time(object(line, 'timestamp') ?? {}, 'from');
  const [account, period] = [idIn(home)(line, 'auto_renew_account'), integer(line, 'auto_renew_period')];
  const [isDeleted, memo] = [flag(line, 'deleted'), text(line, 'memo')];
  return {
    rows: [row],
    entities: [{ ...entity, alias: null, evmAddress: null, createdTimestamp: created }],
    entityChanges: [
      {
        ...entity,
        ...(changed === null ? {} : { changedTimestamp: changed }),
        ...(account === null ? {} : { autoRenewAccount: account }),
        ...(period === null ? {} : { autoRenewPeriod: period }),
        ...(isDeleted === null ? {} : { isDeleted }),
        ...(memo === null ? {} : { memo }),
      },
    ],
    others: { customFees: areFeesTold ? [told] : [] },
  };
}

function keyList(keys: readonly Uint8Array[]): Uint8Array {
  const writer = new WireWriter();
  for (const each of keys) writer.delimited(KEYS, each);
  return writer.finish();
}
