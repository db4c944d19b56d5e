import { hex, id, int, nanos, type PlainItem, part } from './plain-item.ts';

export interface NaiveSchedule {
  readonly creator: bigint;
  readonly payer: bigint;
  readonly created: bigint;
  readonly waitsForExpiry: boolean;
  readonly expires: bigint | null;
  executed: bigint | null;
  /** The first signature of each key prefix, with its time. */
  readonly signatures: Map<string, { readonly at: bigint; readonly signature: string }>;
}

export interface NaiveMessage {
  readonly topic: bigint;
  readonly sequence: bigint;
  readonly payer: bigint;
  readonly message: string;
  readonly runningHash: string;
  readonly chunk: { readonly number: bigint; readonly total: bigint } | null;
}

/** Messages of topics and schedules, by section 11.5 and 11.7. */
export class NaiveServices {
  /** By consensus time. */
  readonly messages = new Map<bigint, NaiveMessage>();
  readonly schedules = new Map<bigint, NaiveSchedule>();

  handle({ at, data, payer, receipt, type }: PlainItem): void {
    if (type === 27) {
      const chunk = data['chunkInfo'] == null ? null : part(data, 'chunkInfo');
      this.messages.set(at, {
        topic: id(data['topicID']) ?? 0n,
        sequence: int(receipt, 'topicSequenceNumber'),
        payer,
        message: hex(data['message']),
        runningHash: hex(receipt['topicRunningHash']),
        chunk: chunk === null ? null : { number: int(chunk, 'number'), total: int(chunk, 'total') },
      });
    }
    const schedule = id(receipt['scheduleID']);
    if (type !== 42 || schedule === null) return;
    const expiration = data['expirationTime'];
    this.schedules.set(schedule, {
      creator: payer,
      payer: id(data['payerAccountID']) ?? payer,
      created: at,
      waitsForExpiry: data['waitForExpiry'] === true,
      expires: expiration == null ? null : nanos(part(data, 'expirationTime')),
      executed: null,
      signatures: new Map(),
    });
  }

  /** Step 5, also of a transaction that failed. */
  execute({ at, record }: PlainItem): void {
    const schedule = this.schedules.get(id(record['scheduleRef']) ?? 0n);
    if (schedule !== undefined) schedule.executed = at;
  }

  /** Step 6. */
  sign({ at, data, receipt, signatures, type }: PlainItem): void {
    if (type !== 42 && type !== 44) return;
    const num = id(type === 42 ? receipt['scheduleID'] : data['scheduleID']);
    const schedule = this.schedules.get(num ?? 0n);
    for (const pair of schedule === undefined ? [] : signatures) {
      const prefix = hex(pair['pubKeyPrefix']);
      const signature = hex(pair['ed25519'] ?? pair['ECDSASecp256k1']);
      if (schedule?.signatures.has(prefix) === false) schedule.signatures.set(prefix, { at, signature });
    }
  }
}
