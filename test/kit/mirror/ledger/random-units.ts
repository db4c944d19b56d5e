import { createHash } from 'node:crypto';
import type { AirdropChange } from '../../../../src/mirror/ledger/facets/airdrops.ts';
import type { AllowanceChange } from '../../../../src/mirror/ledger/facets/allowances.ts';
import type { NftChange, NftStatement } from '../../../../src/mirror/ledger/facets/nfts.ts';
import type { ScheduleChange } from '../../../../src/mirror/ledger/facets/schedules.ts';
import type { TokenChange } from '../../../../src/mirror/ledger/facets/tokens.ts';
import {
  type FixtureRows,
  fixtureTransaction,
  fixtureUnit,
} from '../../../../src/mirror/ledger/fixture-unit.ts';
import type {
  LedgerTransaction,
  LedgerUnit,
  TokenRelation,
  UnitHeader,
} from '../../../../src/mirror/ledger/rows.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../../src/values/entity-id.ts';
import * as fc from '../../../support/properties.ts';
import { aToken, someFees } from './a-token.ts';

type RelationChange<Kind = TokenRelation> = Kind extends unknown
  ? Omit<Kind, 'account' | 'token' | 'consensusTimestamp'>
  : never;
const MINUTE = 60_000_000_000n;
const START = 1_700_000_000_000_000_000n;
const TOKENS = [90n, 91n].map(entityId);
const NFT = entityId(95n);
const SCHEDULES = [70n, 71n].map(entityId);
const TOPICS = [97n, 98n].map(entityId);
const ACCOUNTS = [3n, 5n, 6n, 7n].map(entityId);
const CREATE = 11;
const TRANSFER = 14;

const account = fc.constantFrom(...ACCOUNTS);
const token = fc.constantFrom(...TOKENS);
const amount = fc.bigInt({ min: 0n, max: 9n });
const party = fc.option(account);
const relationChange = fc.constantFrom(
  { isAssociated: true },
  { isAssociated: true, isAutomatic: true },
  { isAssociated: true, kycStatus: 'GRANTED' },
  { isAssociated: true, isIfMissing: true },
  { isAssociated: false },
  { isAssociated: false },
  { freezeStatus: 'FROZEN' },
  { kycStatus: 'REVOKED' },
) as fc.Arbitrary<RelationChange>;

const kind = fc.constantFrom('hbar' as const, 'token' as const, 'nft' as const);
const anApproval = fc.record({
  kind,
  owner: account,
  spender: account,
  token,
  amount,
  isDebit: fc.boolean(),
});
const anAirdrop = fc.record({
  sender: account,
  receiver: account,
  token,
  serial: fc.constantFrom(0n, 3n),
  amount,
  state: fc.constantFrom('pending' as const, 'pending' as const, 'cancelled' as const, 'claimed' as const),
});

const body = fc.record({
  gap: fc.oneof(
    fc.bigInt({ min: 1n, max: 5n }),
    fc.bigInt({ min: 1n, max: 20n }).map((n) => n * MINUTE),
  ),
  isCreation: fc.constantFrom(false, false, false, true),
  entity: account,
  moves: fc.array(fc.record({ from: account, to: account, amount }), { maxLength: 3 }),
  tokenMoves: fc.array(fc.record({ token, from: party, to: party, amount }), { maxLength: 2 }),
  nfts: fc.array(fc.record({ from: party, to: party, serial: fc.constantFrom(1n, 2n, -1n) }), {
    maxLength: 1,
  }),
  relation: fc.option(fc.record({ account, token, change: relationChange })),
  settings: fc.option(fc.record({ memo: fc.constantFrom('a', 'b'), isDeleted: fc.boolean() }), { freq: 3 }),
  rate: fc.option(fc.constantFrom(1, 2), { freq: 3 }),
  schedule: fc.option(fc.record({ id: fc.constantFrom(...SCHEDULES), isExecution: fc.boolean() }), {
    freq: 3,
  }),
  topic: fc.option(fc.constantFrom(...TOPICS), { freq: 3 }),
  nftChange: fc.option(
    fc.record({
      serial: fc.constantFrom(1n, 2n, 3n),
      members: fc.constantFrom('mint', 'approve', 'unapprove', 'burn', 'state'),
    }),
    { freq: 2 },
  ),
  approval: fc.option(anApproval, { freq: 2 }),
  airdrop: fc.option(anAirdrop, { freq: 3 }),
});

const unitBody = fc.record({
  bodies: fc.array(body, { maxLength: 5 }),
  isFixture: fc.constantFrom(false, false, false, false, true),
  isNumbered: fc.boolean(),
  isJump: fc.constantFrom(false, false, false, false, false, true),
  statement: fc.option(fc.record({ account, balance: amount, back: fc.bigInt({ min: 0n, max: 3n }) }), {
    freq: 4,
  }),
  tokenStatement: fc.option(fc.record({ account, token, balance: amount }), { freq: 4 }),
  statedRelation: fc.option(
    fc.record({
      account,
      token,
      isAssociated: fc.boolean(),
      freezeStatus: fc.constantFrom('FROZEN' as const, null),
      balance: fc.option(amount),
    }),
    { freq: 5 },
  ),
  createsToken: fc.option(token, { freq: 4 }),
  changesToken: fc.option(
    fc.record({ token, name: fc.constantFrom('a', 'B'), totalSupply: amount, feeCount: fc.nat(2) }),
    { freq: 2 },
  ),
  publishes: fc.option(fc.constantFrom(1, 2), { freq: 5 }),
  proof: fc.option(
    fc.record({
      generation: fc.constantFrom(null, 1, 2),
      keys: fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
      stateLedgerId: fc.option(fc.constantFrom(1, 2)),
    }),
    { freq: 3 },
  ),
});

export interface RandomUnitsOptions {
  /** Whether nothing is missing and nothing is only stated: every balance follows from the transfers. Default false. */
  readonly isWhole?: boolean;
}

/** Up to eight units that follow each other in time; transfers add up to zero in each transaction. */
export function randomUnits({
  isWhole = false,
}: RandomUnitsOptions = {}): fc.Arbitrary<readonly LedgerUnit[]> {
  return fc.array(unitBody, { minLength: 1, maxLength: 8 }).map((bodies) => {
    let time = START;
    let previous: Uint8Array = new Uint8Array(48);
    let isNumbered = false;
    return bodies.map((given, index) => {
      time += 1n;
      const begin = time;
      const transactions = given.bodies.map((each) => {
        time += each.gap;
        return transactionOf(each, time);
      });
      const unit = fixtureUnit(`unit ${index}`, rowsOf(given, transactions, begin, isWhole));
      time += 1n;
      isNumbered ||= given.isNumbered;
      const firstNumber = isWhole ? 0n : 100n;
      const numbered = headerOf(unit.header, { index, isNumbered, firstNumber, begin, end: time, previous });
      const header: UnitHeader = { ...numbered, isNative: given.proof !== null };
      const isFixture = given.isFixture && !isWhole;
      const isJump = given.isJump && !isWhole;
      if (isFixture) {
        return {
          ...unit,
          proofs: [],
          header: { ...header, kind: 'fixture', isNative: false, blockNumber: null },
        };
      }
      previous = header.hash;
      return { ...unit, header: isJump ? { ...header, previousHash: header.hash } : header };
    });
  });
}

function approvalOf(given: Approval, timestamp: ConsensusTimestamp): AllowanceChange {
  const { amount: told, isDebit, token: of, ...parties } = given;
  const about = { ...parties, token: given.kind === 'hbar' ? null : of, timestamp };
  if (isDebit) return { ...about, is: 'debit', spent: told + 1n };
  return { ...about, is: 'grant', granted: told, amount: told };
}

type Approval = typeof anApproval extends fc.Arbitrary<infer Given> ? Given : never;
type Body = typeof body extends fc.Arbitrary<infer Given> ? Given : never;
type UnitBody = typeof unitBody extends fc.Arbitrary<infer Given> ? Given : never;

function transactionOf(given: Body, time: bigint): LedgerTransaction {
  const { entity, isCreation, moves, nfts, tokenMoves } = given;
  const row = { isApproval: false };
  return fixtureTransaction({
    consensusTimestamp: consensusTimestamp(time),
    payer: entity,
    type: isCreation ? CREATE : TRANSFER,
    entityId: isCreation ? entity : null,
    hash: createHash('sha384').update(String(time)).digest(),
    transfers: moves.flatMap(({ amount: moved, from, to }) => [
      { ...row, account: from, amount: -moved },
      { ...row, account: to, amount: moved },
    ]),
    tokenTransfers: tokenMoves.flatMap(({ amount: moved, from, to, token: of }) => [
      ...(from === null ? [] : [{ ...row, token: of, account: from, amount: -moved }]),
      ...(to === null ? [] : [{ ...row, token: of, account: to, amount: moved }]),
    ]),
    nftTransfers: nfts.map(({ from, serial, to }) => ({
      ...row,
      token: NFT,
      sender: from,
      receiver: to,
      serial,
    })),
  });
}

function rowsOf(
  {
    bodies,
    changesToken,
    createsToken,
    proof,
    publishes,
    statedRelation,
    statement,
    tokenStatement,
  }: UnitBody,
  transactions: readonly LedgerTransaction[],
  begin: bigint,
  isWhole: boolean,
): FixtureRows {
  const timed = bodies.flatMap((each, index) => {
    const at = transactions[index]?.consensusTimestamp;
    return at === undefined ? [] : [{ ...each, at }];
  });
  return {
    transactions,
    entities: timed
      .filter(({ isCreation }) => isCreation)
      .map(({ at, entity }) => ({
        entity,
        type: 'ACCOUNT',
        alias: null,
        evmAddress: Buffer.alloc(20, Number(entity)),
        createdTimestamp: at,
      })),
    entityChanges: timed.flatMap(({ at, entity, settings }) =>
      settings === null ? [] : [{ entity, type: 'ACCOUNT' as const, changedTimestamp: at, ...settings }],
    ),
    rates: timed.flatMap(({ at, rate }) =>
      rate === null ? [] : [{ consensusTimestamp: at, contents: Buffer.alloc(1, rate) }],
    ),
    gasPrices: timed.flatMap(({ at, rate }) =>
      rate === null
        ? []
        : [{ asOf: at, scheduleTimestamp: at, prices: [{ kind: 'ContractCall', gas: BigInt(rate) }] }],
    ),
    allowances: timed.flatMap(({ approval, at }) => (approval === null ? [] : [approvalOf(approval, at)])),
    airdrops: timed.flatMap(({ airdrop, at }): readonly AirdropChange[] => {
      if (airdrop === null) return [];
      const { amount: waits, ...given } = airdrop;
      const isPending = given.state === 'pending';
      return [
        { ...given, timestamp: at, ...(isPending ? { amount: given.serial === 0n ? waits : null } : {}) },
      ];
    }),
    schedules: timed.flatMap(({ at, entity, schedule }): readonly ScheduleChange[] =>
      schedule === null
        ? []
        : schedule.isExecution
          ? [{ schedule: schedule.id, executedTimestamp: at }]
          : [
              {
                schedule: schedule.id,
                consensusTimestamp: at,
                creator: entity,
                payer: entity,
                expirationTime: null,
                waitsForExpiry: true,
                body: Buffer.from(String(at)),
                executedTimestamp: null,
              },
            ],
    ),
    scheduleSignatures: timed.flatMap(({ at, schedule }) =>
      schedule === null
        ? []
        : [1, 2].map((each) => ({
            schedule: schedule.id,
            consensusTimestamp: at,
            prefix: Buffer.alloc(1, each),
            signature: Buffer.alloc(64, each),
            type: each,
          })),
    ),
    hooks: timed.flatMap(({ at, entity, schedule, topic }) =>
      topic === null
        ? []
        : [
            {
              owner: entity,
              hookId: topic,
              consensusTimestamp: at,
              kind: schedule === null ? ('created' as const) : ('deleted' as const),
              contract: schedule === null ? entity : null,
              adminKey: null,
              slots: [{ key: Buffer.alloc(32, 1), value: Buffer.from(String(at)) }],
            },
          ],
    ),
    topics: timed.flatMap(({ at, topic, settings }) =>
      topic === null
        ? []
        : [
            settings === null
              ? { topic, consensusTimestamp: at, submitKey: Buffer.from(String(at)) }
              : { topic, consensusTimestamp: at, fixedFeeCount: 1, adminKey: Buffer.from(settings.memo) },
          ],
    ),
    nfts: timed.flatMap(({ at, entity, nftChange }) =>
      nftChange === null ? [] : [nftRow(at, entity, nftChange.serial, nftChange.members)],
    ),
    topicMessages: timed.flatMap(({ at, entity, topic }) =>
      topic === null
        ? []
        : [
            {
              consensusTimestamp: at,
              topic,
              sequenceNumber: at - START,
              payer: entity,
              chunk: null,
              runningHash: Buffer.alloc(48, Number(topic)),
              runningHashVersion: 3n,
              message: Buffer.from(String(at)),
            },
          ],
    ),
    publications:
      publishes === null
        ? []
        : [
            {
              consensusTimestamp: consensusTimestamp(begin),
              ledgerId: Buffer.alloc(32, publishes),
              body: Buffer.alloc(5, publishes),
            },
          ],
    proofs:
      proof === null
        ? []
        : [
            {
              generation: proof.generation as 1 | 2 | null,
              keys: proof.keys.map((key) => Buffer.alloc(1096, key)),
              stateLedgerId: proof.stateLedgerId === null ? null : Buffer.alloc(32, proof.stateLedgerId),
            },
          ],
    tokenRelations: isWhole
      ? []
      : timed.flatMap(({ at, relation }) =>
          relation === null
            ? []
            : [
                {
                  ...relation.change,
                  account: relation.account,
                  token: relation.token,
                  consensusTimestamp: at,
                },
              ],
        ),
    statedRelations:
      statedRelation === null || isWhole
        ? []
        : [
            {
              ...statedRelation,
              isAutomatic: null,
              createdTimestamp: consensusTimestamp(begin),
              kycStatus: null,
              balanceTimestamp: consensusTimestamp(begin + 1n),
            },
          ],
    tokens: [
      ...(createsToken === null ? [] : [aToken(createsToken, begin)]),
      ...(changesToken === null ? [] : tokenChanges(changesToken, begin)),
    ],
    customFees: changesToken === null ? [] : [someFees(changesToken.token, begin, changesToken.feeCount)],
    balances:
      statement === null || isWhole
        ? []
        : [{ ...statement, timestamp: consensusTimestamp(begin - statement.back) }],
    tokenBalances:
      tokenStatement === null || isWhole
        ? []
        : [{ ...tokenStatement, timestamp: consensusTimestamp(begin + 1n) }],
  };
}

function tokenChanges(
  { name, token: changed, totalSupply }: NonNullable<UnitBody['changesToken']>,
  begin: bigint,
): readonly TokenChange[] {
  const of = { token: changed, consensusTimestamp: consensusTimestamp(begin) };
  return [
    { ...of, totalSupply },
    { ...of, update: { name } },
  ];
}

function headerOf(
  header: UnitHeader,
  given: {
    readonly index: number;
    readonly isNumbered: boolean;
    readonly firstNumber: bigint;
    readonly begin: bigint;
    readonly end: bigint;
    readonly previous: Uint8Array;
  },
): UnitHeader {
  const { begin, end, firstNumber, index, isNumbered, previous } = given;
  return {
    ...header,
    kind: 'record',
    version: isNumbered ? 6 : 5,
    blockNumber: isNumbered ? BigInt(index) + firstNumber : index === 0 ? 0n : null,
    consensusStart: consensusTimestamp(begin),
    consensusEnd: consensusTimestamp(end),
    previousHash: previous,
  };
}

function nftRow(
  at: ConsensusTimestamp,
  account: EntityId,
  serial: bigint,
  kind: string,
): NftChange | NftStatement {
  const change = { kind: 'change', token: NFT, serial, consensusTimestamp: at } as const;
  if (kind === 'mint') return { ...change, isCreated: true, metadata: Buffer.of(Number(serial)) };
  if (kind === 'approve') return { ...change, account, spender: entityId(8n), delegatingSpender: account };
  if (kind === 'unapprove') return { ...change, spender: null, delegatingSpender: null };
  if (kind === 'burn') return { ...change, account: null, isDeleted: true };
  return {
    kind: 'statement',
    token: NFT,
    serial,
    account,
    spender: null,
    delegatingSpender: null,
    createdTimestamp: null,
    changedTimestamp: at,
    isDeleted: false,
    metadata: null,
  };
}
