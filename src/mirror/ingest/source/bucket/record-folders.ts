import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { parseEntityId, printEntityId } from '../../../../values/entity-id.ts';
import type { NodeName } from '../../record-file/unit-files.ts';
import { streamInstant } from '../../units/stream-file-name.ts';
import { type BucketPlace, foldersBelow, type ObjectStore } from './object-store.ts';

/** Where to list the record files of a node, in this order. */
export interface NodePlace {
  /** Tells places apart; stays the same while the layout does. */
  readonly id: string;
  readonly node: NodeFolder['node'];
  /** Null where no book tells the node. */
  readonly nodeId: bigint | null;
  /** With slashes at their ends, one for each day where days have folders. */
  readonly prefixes: readonly string[];
}

interface NodeState {
  /** Once its node id has told something it stays there. */
  isById: boolean;
  /** When it told something last, or was asked first. */
  sinceMs: number;
}

/** @see contracts/streams.md section 8, path mode auto */
const QUIET_MS = 10_000;
const DAY_LENGTH = '2024-01-31'.length;

export function createRecordFolders({ clock, store, top }: Pick<BucketPlace, 'clock' | 'store' | 'top'>) {
  let layout: RecordLayout = { roots: [top], byAccount: [], byNodeId: [] };
  let roots: readonly string[] = layout.roots;
  let lookedMs: number | null = null;
  let hasBook = false;
  const states = new Map<bigint, NodeState>();

  const stateOf = (node: RecordNode): NodeState => {
    const known = states.get(node.nodeId);
    if (known !== undefined) return known;
    const has = (folders: readonly NodeFolder[], each: bigint | null) =>
      folders.some(({ node: name }) => (name.kind === 'node' ? name.nodeId : name.account) === each);
    const isById = !has(layout.byAccount, node.nodeAccount) && has(layout.byNodeId, node.nodeId);
    const state = { isById, sinceMs: clock.now() };
    states.set(node.nodeId, state);
    return state;
  };
  const placeOf = ({ folder, node }: NodeFolder, nodeId: bigint | null = null): NodePlace => ({
    id: folder,
    node,
    nodeId,
    prefixes: roots.map((root) => `${root}${folder}`),
  });
  const placesOf = (node: RecordNode): readonly NodePlace[] => {
    const state = stateOf(node);
    const byId = layout.byNodeId.filter(
      ({ node: each }) => each.kind === 'node' && each.nodeId === node.nodeId,
    );
    const placed = (folder: NodeFolder): NodePlace => placeOf(folder, node.nodeId);
    if (state.isById) return byId.map(placed);
    const byAccount = node.nodeAccount === null ? [] : [accountFolder(node.nodeAccount)];
    const isQuiet = clock.now() - state.sinceMs >= QUIET_MS;
    return [...byAccount, ...(isQuiet || byAccount.length === 0 ? byId : [])].map(placed);
  };
  const someAreQuiet = (): boolean =>
    [...states.values()].some(({ isById, sinceMs }) => !isById && clock.now() - sinceMs >= QUIET_MS);

  return {
    /** Looks at the bucket as far as that is needed before a walk. */
    async begin(after: ConsensusTimestamp | null, signal?: AbortSignal): Promise<void> {
      const isLongAgo = lookedMs === null || clock.now() - lookedMs >= QUIET_MS;
      // Folders of days and of nodes that no book tells come by themselves; another layout only where one went quiet.
      const mayHaveChanged = layout.roots.length > 1 || !hasBook || (someAreQuiet() && isLongAgo);
      if (lookedMs === null || mayHaveChanged) {
        layout = await findRecordLayout(store, top, signal);
        lookedMs = clock.now();
      }
      roots = after === null ? layout.roots : layout.roots.filter((root) => !isDayBefore(root, after));
    },
    /** The places of the nodes, as far as known at a time. */
    places(nodes: readonly RecordNode[] | null): readonly NodePlace[] {
      hasBook = nodes !== null;
      if (nodes === null) return [...layout.byAccount, ...layout.byNodeId].map((folder) => placeOf(folder));
      return nodes.flatMap(placesOf);
    },
    /** A node was not asked: that it told nothing means nothing. */
    excuse({ nodeId }: NodePlace): void {
      const state = nodeId === null ? undefined : states.get(nodeId);
      if (state !== undefined) state.sinceMs = clock.now();
    },
    /** A place has told something; where nothing comes any more another layout is tried. */
    seen({ node, nodeId }: NodePlace): void {
      const state = nodeId === null ? undefined : states.get(nodeId);
      if (state === undefined) return;
      state.sinceMs = clock.now();
      if (node.kind === 'node') state.isById = true;
    },
  };
}

/** Knows in which of the layouts each node writes, and follows a change. */
export type RecordFolders = ReturnType<typeof createRecordFolders>;

/** The text forms sort like the days that they name. */
function isDayBefore(root: string, after: ConsensusTimestamp): boolean {
  const name = root.slice(0, -1).slice(-DAY_LENGTH);
  return /^\d{4}-\d\d-\d\d$/.test(name) && name < streamInstant(after).slice(0, DAY_LENGTH);
}

/** A node whose record files a bucket may hold. */
export interface RecordNode {
  readonly nodeId: bigint;
  readonly nodeAccount: bigint | null;
  /** Tinybars; 0n when none is known. */
  readonly stake: bigint;
}

/** Where a node puts its record files. */
interface NodeFolder {
  readonly node: NodeName;
  /** Below the root, with a slash at its end. */
  readonly folder: string;
}

/** What the top of a bucket tells of its layout. */
interface RecordLayout {
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
function accountFolder(account: bigint): NodeFolder {
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
async function findRecordLayout(
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
