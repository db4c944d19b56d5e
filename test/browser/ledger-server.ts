import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { aToken } from '../kit/mirror/ledger/a-token.ts';
import { aTransaction, aTransfer } from '../kit/mirror/ledger-rows.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** A server with a made-up ledger of everything, whose newest unit has hostile memos, names and messages. */
export interface LedgerServer {
  readonly server: TestServer;
  /** Adds transactions after all others, as an import would. */
  add(count: number): Promise<void>;
  close(): Promise<void>;
}

export const CHAIN = '295';
/** An account, token and topic whose texts are hostile. */
export const HOSTILE = { account: 700_001n, token: 700_002n, topic: 700_003n } as const;
const SECOND = 1_000_000_000n;
const ALL = HOSTILE_TEXTS.join('\n');
const MAX_WORD_LENGTH = 'W'.repeat(100);

/** Writes and imports the ledger; the caller closes the server. */
export async function startLedgerServer(): Promise<LedgerServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-ledger-pages-'));
  await writeStream(writeIntoFolder(folder), {
    mix: 'everything',
    seed: 'ledger pages',
    files: 12,
    transactionsPerFile: 60,
    filePeriod: 4n * 3600n * SECOND,
    nodes: 3,
    accounts: 12,
    keyBits: 1024,
  });
  const server = await startTestServer({
    env: { VERIFY_CHAINS: JSON.stringify({ [CHAIN]: { ledger: true } }), PUBLIC_URL: '' },
    background: false,
  });
  await server.services.imports.run([folder]);
  rmSync(folder, { recursive: true });
  const { ledger } = server.services.mirror;
  const end = (await server.store.mirror.reader.newestConsensusEnd()) ?? 0n;
  let next = end + 3600n * SECOND;
  await ledger.commitUnits([hostileUnit(next)]);
  return {
    server,
    async add(count) {
      next += 60n * SECOND;
      const transactions = Array.from({ length: count }, (_, index) =>
        aTransaction(next + BigInt(index) * SECOND, { memo: Buffer.from(`added ${index + 1}`) }),
      );
      next += BigInt(count) * SECOND;
      await ledger.commitUnits([fixtureUnit(`added ${next}`, { transactions })]);
    },
    close: () => server.close(),
  };
}

function hostileUnit(start: bigint) {
  const at = consensusTimestamp(start);
  const [account, token, topic] = [
    entityId(HOSTILE.account),
    entityId(HOSTILE.token),
    entityId(HOSTILE.topic),
  ];
  const entities = (['ACCOUNT', 'TOKEN', 'TOPIC'] as const).map((type, index) => ({
    entity: [account, token, topic][index] ?? account,
    type,
    alias: null,
    evmAddress: null,
    createdTimestamp: at,
  }));
  return fixtureUnit('hostile', {
    entities,
    entityChanges: entities.map(({ entity, type }) => ({
      entity,
      type,
      changedTimestamp: at,
      memo: `${HOSTILE_TEXTS[0]} ${MAX_WORD_LENGTH}`,
    })),
    tokens: [aToken(token, start, { name: HOSTILE_TEXTS[1] ?? '', symbol: HOSTILE_TEXTS[3] ?? '' })],
    topics: [{ topic, consensusTimestamp: at }],
    topicMessages: [...HOSTILE_TEXTS, ALL, MAX_WORD_LENGTH.repeat(10)].map((text, index) => ({
      topic,
      consensusTimestamp: consensusTimestamp(start + BigInt(index)),
      sequenceNumber: BigInt(index) + 1n,
      payer: account,
      chunk: null,
      runningHash: new Uint8Array(48),
      runningHashVersion: 3n,
      message: Buffer.from(text),
    })),
    transactions: [...HOSTILE_TEXTS, ALL, MAX_WORD_LENGTH].map((memo, index) =>
      aTransaction(start + BigInt(index), {
        payer: account,
        memo: Buffer.from(memo),
        type: TYPE.CRYPTOTRANSFER,
        transfers: [aTransfer(HOSTILE.account, -(10n ** 18n)), aTransfer(1001n, 10n ** 18n)],
      }),
    ),
  });
}
