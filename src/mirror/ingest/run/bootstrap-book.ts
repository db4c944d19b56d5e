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
import type { ImporterOptions } from './importer-options.ts';

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
export function readBootstrapBook(
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
export function bookKeys({ entries }: AddressBook): NodeKeys {
  return {
    nodes: entries.map(({ nodeId, nodeAccount, publicKey }) => ({
      nodeId,
      nodeAccount,
      publicKey,
      stake: 0n,
    })),
  };
}
