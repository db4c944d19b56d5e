import type { EntityId } from '../../../values/entity-id.ts';
import {
  base64,
  FixtureFault,
  type FixtureObject,
  flag,
  idIn,
  key,
  objects,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import { signatureKind } from '../../vocabulary/signature-kinds.ts';
import type { FixtureContext, ToldLine } from './facet.ts';
import type { ScheduleSignature } from './schedule-signatures.ts';
import type { CreatedSchedule, ScheduleChange } from './schedules.ts';

const NO_BODY = new Uint8Array();

/**
 * Reads the object of `schedules/{scheduleId}`.
 *
 * @see contracts/mirror-entities.md section 9.2
 */
export function readScheduleLine(line: FixtureObject, { home }: FixtureContext): ToldLine<ScheduleChange> {
  const id = idIn(home);
  const schedule = required(line, 'schedule_id', id);
  const creator = required(line, 'creator_account_id', id);
  const created: CreatedSchedule = {
    schedule,
    consensusTimestamp: required(line, 'consensus_timestamp', time),
    creator,
    payer: id(line, 'payer_account_id') ?? creator,
    expirationTime: time(line, 'expiration_time'),
    waitsForExpiry: flag(line, 'wait_for_expiry') ?? false,
    body: base64(line, 'transaction_body') ?? NO_BODY,
    executedTimestamp: time(line, 'executed_timestamp'),
  };
  const [adminKey, isDeleted, memo] = [key(line, 'admin_key'), flag(line, 'deleted'), text(line, 'memo')];
  const entity = { entity: schedule, type: 'SCHEDULE' as const };
  // Nothing is told of an entity that nobody knows: all three are null then.
  const isEntityTold = adminKey !== null || isDeleted !== null || memo !== null;
  return {
    rows: [created],
    ...(isEntityTold
      ? {
          entities: [
            { ...entity, alias: null, evmAddress: null, createdTimestamp: created.consensusTimestamp },
          ],
          entityChanges: [
            {
              ...entity,
              ...(adminKey === null ? {} : { key: adminKey }),
              ...(isDeleted === null ? {} : { isDeleted }),
              ...(memo === null ? {} : { memo }),
            },
          ],
        }
      : {}),
    others: {
      scheduleSignatures: objects(line, 'signatures').map((each) => readSignature(each, schedule)),
    },
  };
}

function readSignature(row: FixtureObject, schedule: EntityId): ScheduleSignature {
  const name = required(row, 'type', text);
  const type = signatureKind(name);
  if (type === null) {
    throw new FixtureFault(
      `"type" must be CONTRACT, ED25519, RSA_3072, ECDSA_384, ECDSA_SECP256K1 or UNKNOWN, not "${name.slice(0, 80)}"`,
    );
  }
  return {
    schedule,
    consensusTimestamp: required(row, 'consensus_timestamp', time),
    prefix: required(row, 'public_key_prefix', base64),
    signature: required(row, 'signature', base64),
    type,
  };
}
