import { createHash } from 'node:crypto';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { encodeEntityId } from '../../values/entity-id.ts';
import type { LedgerRepository } from '../ledger/ledger-repository.ts';
import { parseAddressBookFile } from './decode/address-book.ts';
import { inFile } from './errors.ts';
import type { ImporterOptions, IngestLog } from './importer.ts';
import type { StreamSource } from './source/stream-source.ts';

const ADDRESS_BOOK_NUM = 102n;
const VALID_FROM = consensusTimestamp(1n);

/**
 * Stores the book that the operator named, else the one at the top of the source, when the ledger has none.
 *
 * The book is trusted because the operator named it or its folder; its SHA-256 is logged so that it can be
 * compared.
 *
 * @throws IngestError `malformed`.
 * @see contracts/streams.md section 5, start book
 */
export async function storeBootstrapBook(parts: {
  readonly repository: LedgerRepository;
  readonly source: StreamSource;
  readonly options: ImporterOptions;
  readonly log: IngestLog;
}): Promise<void> {
  const { repository, source, options, log } = parts;
  const named = options.addressBook ?? null;
  const file = named ?? (await source.addressBook());
  const id = encodeEntityId(options.shard ?? 0n, options.realm ?? 0n, ADDRESS_BOOK_NUM);
  if (file === null || id === null) return;
  const entries = inFile(file.name, () => parseAddressBookFile(file.bytes, file.name));
  const outcome = await repository.storeBootstrapBook({ file: id, startTimestamp: VALID_FROM, entries });
  const fields = {
    addressBook: file.name,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    nodes: entries.length,
  };
  if (outcome === 'stored') log.info(fields, `address book ${file.name} taken, SHA-256 ${fields.sha256}`);
  else if (named !== null) log.info(fields, `address book ${file.name} ignored: the ledger has one already`);
}
