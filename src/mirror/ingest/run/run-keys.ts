import { createHash } from 'node:crypto';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId, encodeEntityId } from '../../../values/entity-id.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import type { AddressBook, AddressBookEntry } from '../../ledger/rows.ts';
import { SYSTEM_FILE } from '../../vocabulary/system-files.ts';
import { parseAddressBookFile } from '../decode/address-book.ts';
import { IngestError, inFile } from '../errors.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import type { NamedBytes } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import type { ImporterContext, ImporterOptions } from './importer.ts';

/** Keys of the nodes along one run. */
export interface RunKeys {
  /** Null while no address book is known. */
  at(unit: Pick<StreamUnit, 'instant'>): Promise<NodeKeys | null>;
  /** The operator's book, until a unit that it proved takes it along; null when the ledger has one. */
  readonly startBook: AddressBook | null;
  /** A unit has taken the start book along. */
  dropStartBook(): void;
  /** The ledger tells new keys or weights. */
  forget(): void;
}

/** @returns begins a run with its first unit; null: there is none */
export function createRunKeys(
  context: Pick<ImporterContext, 'repository' | 'source' | 'options' | 'log'>,
): (first: Pick<StreamUnit, 'instant'> | null) => Promise<RunKeys> {
  const { log, options, repository, source } = context;
  let isBookIgnored = false;

  /** The operator's book, while the ledger has none. */
  const firstBook = async (first: Pick<StreamUnit, 'instant'> | null): Promise<AddressBook | null> => {
    if (first === null) return null;
    const named = (await options.addressBook?.()) ?? null;
    if ((await repository.nodeKeysAt(first.instant)) === null) {
      return readBootstrapBook(named ?? (await source.addressBook()), options, log);
    }
    if (named !== null && !isBookIgnored) {
      log.info({}, `address book ${named.name} ignored: the ledger already has one`);
    }
    isBookIgnored = true;
    return null;
  };

  return async (first) => {
    let book = await firstBook(first);
    let known: NodeKeys | null | undefined;
    return {
      async at({ instant }) {
        known ??= book === null ? await repository.nodeKeysAt(instant) : bookKeys(book);
        return known;
      },
      get startBook() {
        return book;
      },
      dropStartBook() {
        book = null;
      },
      forget() {
        known = undefined;
      },
    };
  };
}

const VALID_FROM = consensusTimestamp(1n);

/**
 * The book with which an empty ledger begins.
 *
 * It is trusted because the operator named it or its folder; its SHA-256 is logged so that it can be compared.
 * It becomes part of the first unit that it proves, so that a refused one leaves the ledger as it was.
 *
 * @throws IngestError `malformed`; `wrong_network` when its nodes live in another shard or realm.
 * @see contracts/streams.md section 5, start book
 */
function readBootstrapBook(
  file: NamedBytes | null,
  options: Pick<ImporterOptions, 'shard' | 'realm'>,
  log: IngestLog,
): AddressBook | null {
  const home = { shard: options.shard ?? 0n, realm: options.realm ?? 0n };
  const id = encodeEntityId(home.shard, home.realm, SYSTEM_FILE.NODE_DETAILS);
  if (file === null || id === null) return null;
  const entries = inFile(file.name, () => parseAddressBookFile(file.bytes, file.name));
  expectHome(entries, home, file.name);
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  log.info(
    { addressBook: file.name, sha256, nodes: entries.length },
    `address book ${file.name} trusted, SHA-256 ${sha256}`,
  );
  return { file: id, startTimestamp: VALID_FROM, entries };
}

/** Files and accounts of the network would be looked for where they are not. */
function expectHome(
  entries: readonly AddressBookEntry[],
  { realm, shard }: { readonly shard: bigint; readonly realm: bigint },
  name: string,
): void {
  for (const { nodeAccount } of entries) {
    if (nodeAccount === null) continue;
    const found = decodeEntityId(nodeAccount);
    if (found.shard === shard && found.realm === realm) continue;
    throw new IngestError(
      'wrong_network',
      `Address book ${name} is of shard ${found.shard} and realm ${found.realm}, not of ${shard} and ${realm}: ` +
        `set MIRROR_SHARD=${found.shard} and MIRROR_REALM=${found.realm}`,
    );
  }
}

/** The keys of a book before any stake is known. */
function bookKeys({ entries }: AddressBook): NodeKeys {
  return {
    nodes: entries.map(({ nodeId, nodeAccount, publicKey }) => ({
      nodeId,
      nodeAccount,
      publicKey,
      stake: 0n,
    })),
  };
}
