import { type Clock, nanosNow } from '../../values/clock.ts';
import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { base64, flag, id, itemOf, key, listOf, text, time, word } from '../lists/fields.ts';
import { type ListContext, listOn, numbered } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ALL_OF, accounts, numbers } from '../lists/parameters.ts';
import { STATE_SECONDS } from '../ready-answer.ts';
import { signatureKindName } from '../vocabulary/signature-kinds.ts';
import type { Schedule, ScheduleRepository, StoredSignature } from './schedule-repository.sql.ts';

export interface ScheduleContext extends ListContext {
  readonly schedules: ScheduleRepository;
  readonly clock: Clock;
}

const FINAL_SECONDS = 3600;

const SIGNATURE = itemOf<StoredSignature>()(
  {
    consensus_timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
    public_key_prefix: base64(({ prefix }) => prefix),
    signature: base64(({ signature }) => signature),
    type: word(['CONTRACT', 'ED25519', 'RSA_3072', 'ECDSA_384', 'ECDSA_SECP256K1', 'UNKNOWN'], ({ type }) =>
      signatureKindName(type),
    ),
  },
  'ScheduleSignature',
);

/** A transaction that waits for signatures. @see contracts/mirror-entities.md section 9.2 */
const SCHEDULE = itemOf<Schedule>()(
  {
    admin_key: key(({ adminKey }) => adminKey),
    consensus_timestamp: time(({ consensusTimestamp }) => consensusTimestamp, 'When it was created.'),
    creator_account_id: id(({ creator }) => creator),
    deleted: flag.orNull(({ isDeleted }) => isDeleted),
    executed_timestamp: time.orNull(
      ({ executedTimestamp }) => executedTimestamp,
      'When it was executed, also when the execution failed.',
    ),
    expiration_time: time.orNull(({ expirationTime }) => expirationTime),
    memo: text.orNull(({ memo }) => memo),
    payer_account_id: id(({ payer }) => payer),
    schedule_id: id(({ schedule }) => schedule),
    signatures: listOf(SIGNATURE, ({ signatures }) => signatures),
    transaction_body: base64(({ body }) => body, 'Base64 of the serialized SchedulableTransactionBody.'),
    wait_for_expiry: flag(({ waitsForExpiry }) => waitsForExpiry),
  },
  'Schedule',
);

/** `account.id` is the creator. @see contracts/mirror-entities.md section 9.2 */
export const scheduleList = listOn<ScheduleContext>()({
  path: '/api/v1/schedules',
  isKept: true,
  summary: 'List schedules',
  name: 'schedules',
  title: 'ScheduleList',
  maxAgeSeconds: 10,
  order: ['asc', 'Order by number.'],
  parameters: {
    'account.id': accounts(ALL_OF, {
      pattern: '((\\d{1,10}\\.){0,2}\\d{1,12}|(0x|(\\d{1,5}\\.){0,2})[A-Fa-f0-9]{40})',
      description: 'The creator; all conditions apply.',
    }),
    'schedule.id': numbers(ALL_OF, { description: 'All conditions apply.' }),
  },
  rows: ({ 'account.id': creators, 'schedule.id': ids, limit, order }, { schedules }) =>
    schedules.page({ ids, creators, order, limit }),
  cursor: { parameter: 'schedule.id', of: ({ schedule }) => schedule, print: printEntityId },
  item: SCHEDULE,
});

/** @see contracts/mirror-entities.md sections 9.2 and 9.3 */
export const oneSchedule = oneOn<ScheduleContext>()({
  path: '/api/v1/schedules/:scheduleId',
  summary: 'One schedule',
  query: 'first',
  subject: numbered('scheduleId', 'scheduleid', 'Number of the schedule, also `0.0.n`.'),
  find: ({ subject }, { schedules }) => schedules.find(subject),
  item: SCHEDULE,
  maxAgeSeconds: (schedule, { clock }) =>
    isFinal(schedule, nanosNow(clock)) ? FINAL_SECONDS : STATE_SECONDS,
});

/** How long a schedule waits that names no end, with a minute until the network has removed it. */
const WITHOUT_EXPIRATION = 31n * 60n * NANOS_PER_SECOND;
const UNTIL_REMOVED = 60n * NANOS_PER_SECOND;

/**
 * Whether nothing will happen to a schedule any more.
 *
 * @param now nanoseconds
 * @see contracts/mirror-entities.md section 9.3
 */
export function isFinal(
  schedule: Pick<Schedule, 'consensusTimestamp' | 'executedTimestamp' | 'expirationTime' | 'isDeleted'>,
  now: bigint,
): boolean {
  const { consensusTimestamp, executedTimestamp, expirationTime, isDeleted } = schedule;
  if (executedTimestamp !== null || isDeleted === true) return true;
  return expirationTime === null
    ? now >= consensusTimestamp + WITHOUT_EXPIRATION
    : expirationTime + UNTIL_REMOVED <= now;
}
