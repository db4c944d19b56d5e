import { createHash } from 'node:crypto';
import { ZERO_HASH } from '../../src/mirror/ingest/sha384.ts';
import type { StreamItem } from '../../src/mirror/items/stream-item.ts';
import { messages } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_FILE } from '../../src/mirror/vocabulary/system-files.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import type { WrittenContract } from './contract-events.ts';
import { MIX_CONTRACTS } from './contract-mix.ts';
import { accountOf, ledgerItem, type NetworkIds } from './ledger-item.ts';
import { createLedgerScript, type LedgerMix } from './ledger-script.ts';
import { exchangeRateFile, type SystemFile } from './network-events.ts';
import { makeNodeSigners, type NodeSigner } from './node-signer.ts';
import { type WrittenRecordFile, writeRecordFile, writeSidecar } from './record-file-writer.ts';
import { seededRandom } from './seeded-random.ts';
import { steppingTimes } from './stepping-times.ts';

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
  /**
   * What happens in it: hbar transfers alone, a public network's day, calls of contracts above all, or everything that accounts, tokens, NFTs,
   * approvals, airdrops, topics and schedules can go through. Default `everyday`.
   */
  readonly mix?: LedgerMix;
  /** From one record file to the next, nanoseconds. Default two seconds. */
  readonly filePeriod?: bigint;
  /** Whether times step back and overlap from the second unit on. Default false. */
  readonly stepsBack?: boolean;
  /** Unit whose first transaction may step too, and those after it; others are named by it. Default: none. */
  readonly beginsAnywhereFrom?: number;
  /** Whether sidecars tell storage and traces of calls. Default: with the mixes `contracts` and `everything`. */
  readonly traces?: boolean;
  /** Contracts that the first record file creates, numbered from 4001 in this order. Default: none, 250 with the mix `contracts`. */
  readonly contracts?: readonly WrittenContract[];
}

/** A part of a written ledger: what one record file, or one block, tells. */
export interface WrittenUnit {
  /** From 0; also its block number. */
  readonly index: number;
  readonly first: ConsensusTimestamp;
  readonly last: ConsensusTimestamp;
  readonly items: readonly StreamItem[];
  readonly file: WrittenRecordFile;
  /** Serialized `SidecarFile`; null without codes and traces of contracts. */
  readonly sidecar: Uint8Array | null;
}

/** A ledger that is made up unit by unit. */
export interface WrittenLedger {
  readonly ids: NetworkIds;
  readonly start: ConsensusTimestamp;
  readonly signers: readonly NodeSigner[];
  /** Serialized `NodeAddressBook`. */
  readonly book: Uint8Array;
  /** Made as they are asked for, once. */
  readonly units: Iterable<WrittenUnit>;
}

export const HAPI_VERSION = [0, 65, 0] as const;
const FILE_PERIOD = 2_000_000_000n;
const DEFAULT_START = consensusTimestamp(1_700_000_000_000_000_000n);
const DEFAULT_ACCOUNTS = 20;
const DEFAULT_FILES = 10;

/** The same options make the same ledger, in whatever form it is then written. */
export function writtenLedger(options: StreamOptions = {}): WrittenLedger {
  const { seed = 'ledgerlens', start = DEFAULT_START } = options;
  const ids: NetworkIds = { shard: options.shard ?? 0n, realm: options.realm ?? 0n };
  const signers =
    options.signers ??
    makeNodeSigners(options.nodes ?? 4, seededRandom(`${seed}/keys`), options.keyBits ?? 2048);
  const book = encodeAddressBook(signers, ids);
  return { ids, start, signers, book, units: unitsOf(options, { ids, start, signers, book }) };
}

function* unitsOf(
  {
    accounts,
    beginsAnywhereFrom = Number.POSITIVE_INFINITY,
    mix = 'everyday',
    contracts = mix === 'contracts' ? MIX_CONTRACTS : [],
    filePeriod = FILE_PERIOD,
    files = DEFAULT_FILES,
    seed = 'ledgerlens',
    stepsBack = false,
    systemFiles,
    traces = mix === 'contracts' || mix === 'everything',
    transactionsPerFile = 12,
  }: StreamOptions,
  { book, ids, signers, start }: Omit<WrittenLedger, 'units'>,
): Generator<WrittenUnit> {
  const eventsOf = createLedgerScript({
    ids,
    signers,
    random: seededRandom(`${seed}/events`),
    traceRandom: traces ? seededRandom(`${seed}/traces`) : null,
    systemFiles: [
      { num: SYSTEM_FILE.NODE_DETAILS, contents: book },
      exchangeRateFile(start),
      ...(systemFiles ?? []),
    ],
    contracts,
    accounts: accounts ?? DEFAULT_ACCOUNTS,
    mix,
  });
  const stepped = steppingTimes(start, filePeriod, seededRandom(`${seed}/times`));
  let startHash: Uint8Array = ZERO_HASH;
  for (let index = 0; index < files; index++) {
    const begin = consensusTimestamp(start + BigInt(index) * filePeriod);
    const drawn = eventsOf(index, begin, transactionsPerFile);
    const events = stepsBack ? stepped(drawn, index < beginsAnywhereFrom) : drawn;
    const sidecar = writeSidecar(events);
    const items = events.map((event) => ledgerItem(event, ids));
    const file = writeRecordFile(items, startHash, BigInt(index), HAPI_VERSION, sidecar);
    yield {
      index,
      first: events.at(0)?.consensus ?? begin,
      last: events.at(-1)?.consensus ?? begin,
      items,
      file,
      sidecar: sidecar?.contents ?? null,
    };
    startHash = file.endHash;
  }
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
