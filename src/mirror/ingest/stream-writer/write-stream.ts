import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { messages } from '../../protobuf/messages.ts';
import { SYSTEM_FILE } from '../../vocabulary/system-files.ts';
import { ZERO_HASH } from '../sha384.ts';
import { streamInstant } from '../source/stream-file-name.ts';
import type { WrittenContract } from './contract-events.ts';
import { accountOf, ledgerItem, type NetworkIds } from './ledger-item.ts';
import { createLedgerScript } from './ledger-script.ts';
import { exchangeRateFile, type SystemFile } from './network-events.ts';
import { makeNodeSigners, type NodeSigner } from './node-signer.ts';
import { writeRecordFile, writeSidecar, writeSignatureFile } from './record-file-writer.ts';
import { seededRandom } from './seeded-random.ts';

export interface StreamOptions {
  /** Same seed, same stream. Default `ledgerlens`. */
  readonly seed?: string;
  /** Record files. Default 10. */
  readonly files?: number;
  /** Transactions of a file, at least; a child may add one. Default 12. */
  readonly transactionsPerFile?: number;
  /** Consensus time of the first transaction, nanoseconds. Default 1 700 000 000 seconds. */
  readonly start?: ConsensusTimestamp;
  /** Nodes that sign, when `signers` is not given. Default 4. */
  readonly nodes?: number;
  /** Bits of the keys that are made. Default 2048. */
  readonly keyBits?: number;
  /** Nodes with keys of their own. Default: made from the seed. */
  readonly signers?: readonly NodeSigner[];
  /** Default 0n. */
  readonly shard?: bigint;
  /** Default 0n. */
  readonly realm?: bigint;
  /** Files written beside 102 and 112, for example 113n. Default none. */
  readonly systemFiles?: readonly SystemFile[];
  /** Accounts that act, the first far more often than the last. Default 20. */
  readonly accounts?: number;
  /** Nodes whose folders get the record files; the others only sign. Default: all. */
  readonly copies?: number;
  /** Called after every record file. */
  readonly progress?: (files: number, transactions: number) => void;
  /** Contracts that the first record file creates, numbered from 4001 in this order. Default none. */
  readonly contracts?: readonly WrittenContract[];
}

/** Where the files of a stream go; paths have `/` and are relative. */
export type WriteFile = (path: string, bytes: Uint8Array) => Promise<void>;

/** What was written. */
export interface WrittenStream {
  readonly files: number;
  readonly transactions: number;
  readonly first: ConsensusTimestamp;
  readonly last: ConsensusTimestamp;
  readonly addressBookSha256: string;
}

const HAPI_VERSION = [0, 65, 0] as const;
const FILE_PERIOD = 2_000_000_000n;
const DEFAULT_START = consensusTimestamp(1_700_000_000_000_000_000n);
const DEFAULT_ACCOUNTS = 20;

/**
 * Writes a signed stream of version 6 record files in the layout `recordstreams/record{account}/`, with its
 * address book at the top: what an importer with default settings takes.
 *
 * @see contracts/streams.md sections 2.3, 4 and 8
 */
export async function writeStream(write: WriteFile, options: StreamOptions = {}): Promise<WrittenStream> {
  const { seed = 'ledgerlens', files = 10, transactionsPerFile = 12, start = DEFAULT_START } = options;
  const ids: NetworkIds = { shard: options.shard ?? 0n, realm: options.realm ?? 0n };
  const signers =
    options.signers ??
    makeNodeSigners(options.nodes ?? 4, seededRandom(`${seed}/keys`), options.keyBits ?? 2048);
  const book = encodeAddressBook(signers, ids);
  await write('address_book.bin', book);
  const eventsOf = createLedgerScript({
    ids,
    signers,
    random: seededRandom(`${seed}/events`),
    systemFiles: [
      { num: SYSTEM_FILE.NODE_DETAILS, contents: book },
      exchangeRateFile(start),
      ...(options.systemFiles ?? []),
    ],
    contracts: options.contracts ?? [],
    accounts: options.accounts ?? DEFAULT_ACCOUNTS,
  });
  let [startHash, transactions, last] = [ZERO_HASH, 0, start];
  for (let index = 0; index < files; index++) {
    const first = consensusTimestamp(start + BigInt(index) * FILE_PERIOD);
    const events = eventsOf(index, first, transactionsPerFile);
    const sidecar = writeSidecar(events);
    const file = writeRecordFile(
      events.map((event) => ledgerItem(event, ids)),
      startHash,
      BigInt(index),
      HAPI_VERSION,
      sidecar,
    );
    const compressed = gzipSync(file.bytes);
    const name = streamInstant(first);
    for (const [position, signer] of signers.entries()) {
      const folder = `recordstreams/record${ids.shard}.${ids.realm}.${signer.accountNum}`;
      await write(`${folder}/${name}.rcd_sig`, writeSignatureFile(file, signer));
      if (position >= (options.copies ?? signers.length)) continue;
      await write(`${folder}/${name}.rcd.gz`, compressed);
      if (sidecar !== null) await write(`${folder}/sidecar/${name}_01.rcd.gz`, gzipSync(sidecar));
    }
    startHash = file.endHash;
    transactions += events.length;
    last = events.at(-1)?.consensus ?? last;
    options.progress?.(index + 1, transactions);
  }
  const addressBookSha256 = createHash('sha256').update(book).digest('hex');
  return { files, transactions, first: start, last, addressBookSha256 };
}

function encodeAddressBook(signers: readonly NodeSigner[], ids: NetworkIds): Uint8Array {
  return messages.NodeAddressBook.encode({
    nodeAddress: signers.map(({ nodeId, accountNum, publicKey }) => ({
      nodeId,
      nodeAccountId: accountOf(accountNum, ids),
      memo: Buffer.from(`${ids.shard}.${ids.realm}.${accountNum}`),
      description: `node ${nodeId}`,
      RSA_PubKey: publicKey,
      nodeCertHash: Buffer.from(createHash('sha384').update(publicKey).digest('hex')),
      serviceEndpoint: [{ ipAddressV4: Uint8Array.of(127, 0, 0, 1), port: 50_211 }],
    })),
  });
}
