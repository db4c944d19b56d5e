import { type FixtureRows, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import {
  accountNum,
  entityCounts,
  keyOf,
  SECOND,
  STREAM_START,
  scheduleNum,
  tokenNum,
  topicNum,
} from './entity-numbers.ts';

const UNIT_SIZE = 2000;
const MICROSECOND = 1000n;
const DAY = 86_400n * SECOND;
const EMPTY = new Uint8Array();

/** What there is before the stream: units with rows of one kind each. */
export function* entityState(size: number): Generator<LedgerUnit> {
  const { accounts, large, schedules, tokens, topics } = entityCounts(size);
  let at = STREAM_START - DAY;
  const next = () => {
    at += MICROSECOND;
    return consensusTimestamp(at);
  };
  function* each(kind: string, count: number, rows: (indexes: readonly number[]) => FixtureRows) {
    for (let start = 0; start < count; start += UNIT_SIZE) {
      const length = Math.min(UNIT_SIZE, count - start);
      const indexes = Array.from({ length }, (_, index) => start + index);
      yield fixtureUnit(`${kind}-${start}`, rows(indexes));
    }
  }
  const account = (index: number) => entityId(accountNum(index % accounts));
  const token = (index: number) => entityId(tokenNum(index % tokens));
  const fungible = (index: number) => entityId(tokenNum((2 * index) % tokens));

  yield* each('accounts', accounts, (indexes) => {
    const made = indexes.map((index) => ({ index, at: next() }));
    return {
      entities: made.map((each) => ({
        entity: account(each.index),
        type: 'ACCOUNT' as const,
        alias: null,
        evmAddress: evmAddress(each.index),
        createdTimestamp: each.at,
      })),
      entityChanges: made.map((each) => ({
        entity: account(each.index),
        type: 'ACCOUNT' as const,
        changedTimestamp: each.at,
        key: keyOf(each.index),
        memo: '',
        isDeleted: false,
        autoRenewPeriod: 7_776_000n,
        maxAutomaticAssociations: -1,
      })),
      balances: made.map((each) => ({
        account: account(each.index),
        balance: 1_000_000_000n + BigInt((each.index * 7919) % accounts) * 1_000_000n,
        timestamp: each.at,
      })),
    };
  });
  yield* each('tokens', tokens, (indexes) => {
    const made = indexes.map((index) => ({ index, at: next() }));
    return {
      entities: made.map((each) => anEntity('TOKEN', tokenNum(each.index), each.at)),
      entityChanges: made.map((each) => aSetting('TOKEN', tokenNum(each.index), each.at, each.index)),
      tokens: made.map((each) => ({
        token: token(each.index),
        consensusTimestamp: each.at,
        row: aToken(each.index, each.at, account(each.index)),
      })),
      customFees: made
        .filter((each) => each.index % 5 === 0)
        .map((each) => ({
          entity: token(each.index),
          of: 'token' as const,
          consensusTimestamp: each.at,
          fixedFees: [
            {
              collector: account(each.index),
              areCollectorsExempt: false,
              amount: 5n,
              denominatingToken: null,
            },
          ],
          fractionalFees: [],
          royaltyFees: [],
        })),
    };
  });
  // Later settings of the first token.
  yield* each('token-updates', size / 1000, (indexes) => ({
    tokens: indexes.map((index) => ({
      token: token(0),
      consensusTimestamp: next(),
      update: { symbol: `S${index}` },
    })),
  }));
  yield* each('topics', topics, (indexes) => {
    const made = indexes.map((index) => ({ index, at: next() }));
    return {
      entities: made.map((each) => anEntity('TOPIC', topicNum(each.index), each.at)),
      entityChanges: made.map((each) => aSetting('TOPIC', topicNum(each.index), each.at, each.index)),
      topics: made.map((each) => ({
        topic: entityId(topicNum(each.index)),
        consensusTimestamp: each.at,
        adminKey: keyOf(each.index),
        submitKey: EMPTY,
        feeScheduleKey: EMPTY,
        feeExemptKeys: null,
      })),
    };
  });
  yield* each('schedules', schedules, (indexes) => {
    const made = indexes.map((index) => ({ index, at: next(), schedule: entityId(scheduleNum(index)) }));
    return {
      entities: made.map((each) => anEntity('SCHEDULE', scheduleNum(each.index), each.at)),
      entityChanges: made.map((each) => aSetting('SCHEDULE', scheduleNum(each.index), each.at, each.index)),
      schedules: made.map((each) => ({
        schedule: each.schedule,
        consensusTimestamp: each.at,
        creator: account(each.index % 2 === 0 ? 0 : each.index),
        payer: account(each.index),
        expirationTime: null,
        waitsForExpiry: false,
        body: new Uint8Array(120).fill(9),
        executedTimestamp: null,
      })),
      scheduleSignatures: made.flatMap((each) =>
        [1, 2].map((place) => ({
          schedule: each.schedule,
          consensusTimestamp: each.at,
          prefix: keyOf(each.index + place).subarray(2),
          type: 3,
          signature: new Uint8Array(64).fill(place),
        })),
      ),
    };
  });
  const relation = (holder: number, held: number) => ({
    account: account(holder),
    token: token(held),
    isAssociated: true,
    isAutomatic: false,
    createdTimestamp: next(),
    freezeStatus: null,
    kycStatus: null,
    balance: BigInt((holder * 7919 + held) % 1_000_003),
    balanceTimestamp: consensusTimestamp(at),
  });
  yield* each('holders', accounts, (indexes) => ({
    statedRelations: indexes.map((index) => relation(index, 0)),
  }));
  yield* each('held', tokens - 1, (indexes) => ({
    statedRelations: indexes.map((index) => relation(0, index + 1)),
  }));
  yield* each('relations', accounts, (indexes) => ({
    statedRelations: indexes.flatMap((index) => [
      relation(index, 2 + ((index * 2) % (tokens - 2))),
      relation(index, 2 + ((index * 34 + 2) % (tokens - 2))),
    ]),
  }));
  for (const kind of ['hbar', 'token', 'nft'] as const) {
    yield* each(`allowances-${kind}`, 3 * large, (indexes) => ({
      allowances: indexes.map((index) => {
        const third = index % 3;
        const place = Math.floor(index / 3);
        return {
          is: 'grant' as const,
          kind,
          owner: account(third === 0 ? 0 : third === 1 ? place + 1 : place + 7),
          spender: account(third === 1 ? 0 : place + 2),
          token: kind === 'hbar' ? null : kind === 'token' ? fungible(place) : token(2 * place + 1),
          timestamp: next(),
          granted: kind === 'nft' ? 1n : 1000n,
          amount: kind === 'nft' ? 1n : BigInt(place % 1000),
        };
      }),
    }));
  }
  yield* each('airdrops', 3 * large, (indexes) => ({
    airdrops: indexes.map((index) => {
      const third = index % 3;
      const place = Math.floor(index / 3);
      const isNft = place % 2 === 1;
      return {
        sender: account(third === 0 ? 0 : place + 1),
        receiver: account(third === 1 ? 0 : place + 2),
        token: isNft ? token(2 * place + 1) : fungible(place),
        serial: isNft ? BigInt(place) : 0n,
        amount: isNft ? null : 5n,
        state: place % 5 === 4 ? ('claimed' as const) : ('pending' as const),
        timestamp: next(),
      };
    }),
  }));
  const key = (index: number) => {
    const bytes = new Uint8Array(32);
    new DataView(bytes.buffer).setUint32(28, index);
    return bytes;
  };
  yield* each('hooks', large / 10, (indexes) => ({
    hooks: indexes.map((index) => ({
      owner: account(0),
      hookId: BigInt(index),
      consensusTimestamp: next(),
      kind: 'created' as const,
      contract: account(1),
      adminKey: null,
      slots: [],
    })),
  }));
  yield* each('hook-storage', large, (indexes) => ({
    hooks: indexes.map((index) => ({
      owner: account(0),
      hookId: 0n,
      consensusTimestamp: next(),
      kind: 'stored' as const,
      contract: null,
      adminKey: null,
      slots: [{ key: key(index), value: key(index + 1) }],
    })),
  }));
}

function evmAddress(index: number): Uint8Array {
  const bytes = new Uint8Array(20).fill(0xab);
  new DataView(bytes.buffer).setUint32(16, index);
  return bytes;
}

function anEntity(
  type: 'SCHEDULE' | 'TOKEN' | 'TOPIC',
  num: bigint,
  at: ReturnType<typeof consensusTimestamp>,
) {
  return { entity: entityId(num), type, alias: null, evmAddress: null, createdTimestamp: at };
}

function aSetting(
  type: 'SCHEDULE' | 'TOKEN' | 'TOPIC',
  num: bigint,
  at: ReturnType<typeof consensusTimestamp>,
  index: number,
) {
  return {
    entity: entityId(num),
    type,
    changedTimestamp: at,
    key: keyOf(index),
    memo: '',
    isDeleted: false,
    autoRenewPeriod: 7_776_000n,
  };
}

function aToken(
  index: number,
  at: ReturnType<typeof consensusTimestamp>,
  treasury: ReturnType<typeof entityId>,
) {
  const isUnique = index % 2 === 1;
  return {
    kind: isUnique ? ('NON_FUNGIBLE_UNIQUE' as const) : ('FUNGIBLE_COMMON' as const),
    createdTimestamp: at,
    name: `Token number ${index} of ${index % 97 === 5 ? 'few' : 'all'}`,
    symbol: `TOK${index}`,
    treasury,
    metadata: null,
    feeScheduleKey: null,
    freezeKey: null,
    kycKey: null,
    metadataKey: null,
    pauseKey: null,
    supplyKey: keyOf(index),
    wipeKey: null,
    pauseStatus: 'NOT_APPLICABLE' as const,
    decimals: isUnique ? 0 : 8,
    initialSupply: isUnique ? 0n : 1_000_000n,
    maxSupply: 0n,
    supplyType: 'INFINITE' as const,
    freezeDefault: false,
    freezeStatus: 'NOT_APPLICABLE' as const,
    kycStatus: 'NOT_APPLICABLE' as const,
    totalSupply: 1_000_000n,
  };
}
