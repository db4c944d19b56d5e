import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { printEntityId } from '../../../values/entity-id.ts';

/** Who made a copy of a file: by account or by node id, as the layout tells; null when it tells neither. */
export type NodeName =
  | { readonly kind: 'account'; readonly account: bigint }
  | { readonly kind: 'node'; readonly nodeId: bigint };

/** A file of a source, read when it is needed. */
export interface StreamFile {
  /** Without folders. */
  readonly name: string;
  /** With folders, for people. */
  readonly path: string;
  readonly node: NodeName | null;
  /** @throws IngestError `unreadable_file`. */
  read(): Promise<Uint8Array>;
}

/** Everything that a source has about one instant of a record stream. */
export interface UnitFiles {
  readonly instant: ConsensusTimestamp;
  /** Name of the record file. */
  readonly name: string;
  /** Copies of the record file that have content, one per node that has it; none where signatures alone are there. */
  readonly records: readonly StreamFile[];
  /** Copies without a byte. */
  readonly emptyRecords: readonly StreamFile[];
  readonly signatures: readonly StreamFile[];
  /** Whether signatures are read in their order until the nodes agree, because reading costs; one that is not
   * there yet then fails with `signature_missing`. Default: all are read. */
  readonly readsFewSignatures?: boolean;
  readonly sidecars: readonly (StreamFile & { readonly id: number })[];
  /** Where else copies of a sidecar may be; reading one that is not there fails with `sidecar_missing`. Default: nowhere. */
  readonly unlistedSidecars?: (id: number) => readonly StreamFile[];
}

/** The node as a label; empty where the layout does not tell it. */
export function nodeText(node: NodeName | null): string {
  if (node === null) return '';
  return node.kind === 'account' ? printEntityId(node.account) : node.nodeId.toString();
}
