import { parseEntityId, printEntityId } from '../../../../values/entity-id.ts';
import type { NodeName } from '../../record-file/unit-files.ts';
import { foldersBelow, type ObjectStore } from './object-store.ts';

/** A node whose record files a bucket may hold. */
export interface RecordNode {
  readonly nodeId: bigint;
  readonly nodeAccount: bigint | null;
  /** Tinybars; 0n when none is known. */
  readonly stake: bigint;
}

/** Where a node puts its record files. */
export interface NodeFolder {
  readonly node: NodeName;
  /** Below the root, with a slash at its end. */
  readonly folder: string;
}

/** What the top of a bucket tells of its layout. */
export interface RecordLayout {
  /** Where the layout begins: the top, or one folder for each day, ascending; with a slash at the end unless empty. */
  readonly roots: readonly string[];
  readonly byAccount: readonly NodeFolder[];
  readonly byNodeId: readonly NodeFolder[];
}

const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;
const RECORD_FOLDER = /^record(\d+\.\d+\.\d+)$/;
const NETWORK_FOLDER = /^[a-z][\w.-]*$/i;
const NUMBER = /^\d{1,18}$/;
const ACCOUNTS = 'recordstreams';
/** Beside the record files of public buckets. */
const NO_NETWORKS =
  /^(accountBalances|contractStateChanges|events?Streams.*|recordstreams|blocks?|sidecar)$/i;

/** The folder of a node by its account. */
export function accountFolder(account: bigint): NodeFolder {
  return {
    node: { kind: 'account', account },
    folder: `${ACCOUNTS}/record${printEntityId(account)}/`,
  };
}

/** Where the layout begins although the operator named a folder of it. */
export function baseOf(top: string): string {
  return splitTop(top).base;
}

/**
 * Looks for the folders of nodes at the top of a bucket, or of its days.
 *
 * @param top key of the top with a slash at its end, or empty; also `…recordstreams/` or the folder of one node
 * @see contracts/streams.md section 8
 */
export async function findRecordLayout(
  store: ObjectStore,
  top: string,
  signal?: AbortSignal,
): Promise<RecordLayout> {
  const { base, only } = splitTop(top);
  if (only !== null) return { roots: [base], byAccount: [only], byNodeId: [] };
  const below = async (prefix: string): Promise<readonly string[]> =>
    (await foldersBelow(store, prefix, signal)).map((folder) => folder.slice(prefix.length, -1));
  const days = (await below(base)).filter((name) => DAY_FOLDER.test(name)).map((day) => `${base}${day}/`);
  const roots = days.length > 0 ? days : [base];
  // Nodes come and go; the newest day tells best.
  const root = roots.at(-1) ?? base;
  const names = await below(root);
  const byAccount = names.includes(ACCOUNTS) ? await below(`${root}${ACCOUNTS}/`) : [];
  const byNodeId: NodeFolder[] = [];
  for (const network of names.filter((name) => NETWORK_FOLDER.test(name) && !NO_NETWORKS.test(name))) {
    for (const shard of (await below(`${root}${network}/`)).filter((name) => NUMBER.test(name))) {
      const ids = (await below(`${root}${network}/${shard}/`)).filter((name) => NUMBER.test(name));
      const folders = ids.map((id) => `${network}/${shard}/${id}/record/`);
      byNodeId.push(
        ...folders.map((folder, at) => ({
          node: { kind: 'node' as const, nodeId: BigInt(ids[at] ?? '') },
          folder,
        })),
      );
    }
  }
  return { roots, byAccount: byAccount.flatMap((name) => folderOfName(name) ?? []), byNodeId };
}

/** An operator may name the folder of all nodes, or that of one, as local networks do. */
function splitTop(top: string): { readonly base: string; readonly only: NodeFolder | null } {
  const parts = top.split('/').slice(0, -1);
  const last = parts.at(-1) ?? '';
  if (last === ACCOUNTS) return { base: slashed(parts.slice(0, -1)), only: null };
  const folder = parts.at(-2) === ACCOUNTS ? folderOfName(last) : null;
  return folder === null ? { base: top, only: null } : { base: slashed(parts.slice(0, -2)), only: folder };
}

function slashed(parts: readonly string[]): string {
  return parts.map((part) => `${part}/`).join('');
}

function folderOfName(name: string): NodeFolder | null {
  const account = parseEntityId(RECORD_FOLDER.exec(name)?.[1] ?? '');
  return account === null ? null : accountFolder(account);
}
