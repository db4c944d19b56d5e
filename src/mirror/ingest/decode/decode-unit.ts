import { contractsToldIn } from '../../items/created-contract.ts';
import { type DecodedItem, decodeItem, successOf } from '../../items/decoded-item.ts';
import { type NetworkVersion, networkVersion } from '../../items/network-version.ts';
import { byTime, type SidecarRecord, type SidecarRecords } from '../../items/sidecar-record.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import { addressedEntities } from '../../ledger/facets/addressed-entities.ts';
import { createFacetDecoder } from '../../ledger/facets/decode-facets.ts';
import { createdTokenKind } from '../../ledger/facets/decode-tokens.ts';
import type {
  EntityAlias,
  EntityChange,
  FilePiece,
  LedgerTransaction,
  LedgerUnit,
  NodeChange,
  StakeUpdate,
} from '../../ledger/rows.ts';
import { inFile } from '../errors.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { entityChanges } from './entity-changes.ts';
import { createdEntity, nodeChange, stakeUpdate } from './entity-effects.ts';
import { systemFilePiece, withCallData } from './file-pieces.ts';
import { KnownEntities, type LedgerLookup } from './known-entities.ts';
import { unitGas } from './unit-gas.ts';

/** All rows of a unit but its header, its sidecars, the tree of blocks, and the address books, which need earlier pieces of the file. */
export type UnitRows = Omit<LedgerUnit, 'header' | 'addressBooks' | 'sidecars' | 'tree'>;

/** With what was left out and why, for the log. */
interface DecodedRows extends UnitRows {
  readonly notes: readonly string[];
}

/**
 * Decodes the items of a unit into ledger rows.
 *
 * @param name of the file, for errors
 * @param told what the sidecars of the unit tell
 * @param hapiVersion of the network's API, for rules that changed; null as the newest
 * @throws IngestError `malformed` naming the file.
 * @see contracts/streams.md sections 6 and 12
 */
export async function decodeUnit(
  items: readonly StreamItem[],
  name: string,
  lookup: LedgerLookup,
  told: readonly SidecarRecord[] = [],
  hapiVersion: string | null = null,
): Promise<DecodedRows> {
  const known = new KnownEntities();
  const version = networkVersion(hapiVersion);
  const sidecars = byTime(told);
  const decoded = await withCallData(
    inFile(name, () => items.map(decodeItem)),
    lookup,
  );
  // Known from the start, so that a unit with logs is not decoded twice.
  for (const entity of addressedEntities(decoded)) known.evmAddress(entity);
  await known.load(lookup);
  const decode = () => inFile(name, () => decodeOnce(decoded, known, sidecars, version));
  let rows = decode();
  while (await known.load(lookup)) rows = decode();
  for (const { contract } of rows.contractLogs) known.evmAddress(contract);
  await known.load(lookup);
  return { ...rows, gas: unitGas(decoded, rows, (entity) => known.evmAddress(entity)) };
}

function decodeOnce(
  decoded: readonly DecodedItem[],
  known: KnownEntities,
  sidecars: SidecarRecords,
  version: NetworkVersion,
): Omit<DecodedRows, 'gas'> {
  known.begin();
  const isSuccessful = successOf(decoded);
  const contractToldBy = contractsToldIn(decoded);
  const transactions: LedgerTransaction[] = [];
  const filePieces: FilePiece[] = [];
  const nodeChanges: NodeChange[] = [];
  const stakeUpdates: StakeUpdate[] = [];
  const entities: EntityAlias[] = [];
  const changes: EntityChange[] = [];
  const facets = createFacetDecoder();
  for (const item of decoded) {
    const success = isSuccessful(item);
    transactions.push(decodeTransaction(item, success, known));
    const entity = success ? createdEntity(item, contractToldBy) : null;
    if (entity !== null) {
      known.add(entity, item.place);
      entities.push(entity);
    }
    changes.push(...entityChanges(item, success, known.resolve, version));
    if (!success) continue;
    const token = createdTokenKind(item);
    if (token !== null) known.addToken(token.token, token.kind);
    facets.add(item, known.resolve);
    pushPresent(filePieces, systemFilePiece(item));
    pushPresent(nodeChanges, nodeChange(item, known.resolve));
    pushPresent(stakeUpdates, stakeUpdate(item));
  }
  const {
    entities: told,
    notes,
    rows,
  } = facets.finish({
    items: decoded,
    transactions,
    isSuccessful,
    sidecars,
    version,
    resolve: known.resolve,
    evmAddress: (entity) => known.evmAddress(entity),
    resolveAt: ({ place }) => known.resolverAt(place),
  });
  return {
    ...rows,
    notes,
    transactions,
    filePieces,
    nodeChanges,
    stakeUpdates,
    balances: [],
    tokenBalances: [],
    entities: [...entities, ...told],
    entityChanges: changes,
  };
}

function pushPresent<T>(list: T[], value: T | null): void {
  if (value !== null) list.push(value);
}
