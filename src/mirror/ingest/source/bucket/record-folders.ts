import type { Clock } from '../../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { streamInstant } from '../../units/stream-file-name.ts';
import type { ObjectStore } from './object-store.ts';
import {
  accountFolder,
  findRecordLayout,
  type NodeFolder,
  type RecordLayout,
  type RecordNode,
} from './record-layout.ts';

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

/** Knows in which of the layouts each node writes, and follows a change. */
export interface RecordFolders {
  /** Looks at the bucket as far as that is needed before a walk. */
  begin(after: ConsensusTimestamp | null, signal?: AbortSignal): Promise<void>;
  /** The places of the nodes, as far as known at a time. */
  places(nodes: readonly RecordNode[] | null): readonly NodePlace[];
  /** A place has told something; where nothing comes any more another layout is tried. */
  seen(place: NodePlace): void;
  /** A node was not asked: that it told nothing means nothing. */
  excuse(place: NodePlace): void;
}

export interface RecordFoldersParts {
  readonly store: ObjectStore;
  /** Key of the top, with a slash at its end unless empty. */
  readonly top: string;
  readonly clock: Clock;
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

export function createRecordFolders({ clock, store, top }: RecordFoldersParts): RecordFolders {
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
    async begin(after, signal) {
      const isLongAgo = lookedMs === null || clock.now() - lookedMs >= QUIET_MS;
      // Folders of days and of nodes that no book tells come by themselves; another layout only where one went quiet.
      const mayHaveChanged = layout.roots.length > 1 || !hasBook || (someAreQuiet() && isLongAgo);
      if (lookedMs === null || mayHaveChanged) {
        layout = await findRecordLayout(store, top, signal);
        lookedMs = clock.now();
      }
      roots = after === null ? layout.roots : layout.roots.filter((root) => !isDayBefore(root, after));
    },
    places(nodes) {
      hasBook = nodes !== null;
      if (nodes === null) return [...layout.byAccount, ...layout.byNodeId].map((folder) => placeOf(folder));
      return nodes.flatMap(placesOf);
    },
    excuse({ nodeId }) {
      const state = nodeId === null ? undefined : states.get(nodeId);
      if (state !== undefined) state.sinceMs = clock.now();
    },
    seen({ node, nodeId }) {
      const state = nodeId === null ? undefined : states.get(nodeId);
      if (state === undefined) return;
      state.sinceMs = clock.now();
      if (node.kind === 'node') state.isById = true;
    },
  };
}

/** The text forms sort like the days that they name. */
function isDayBefore(root: string, after: ConsensusTimestamp): boolean {
  const name = root.slice(0, -1).slice(-DAY_LENGTH);
  return /^\d{4}-\d\d-\d\d$/.test(name) && name < streamInstant(after).slice(0, DAY_LENGTH);
}
