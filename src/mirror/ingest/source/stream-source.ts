import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';

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

/** Everything that a source has about one instant of the stream. */
export interface StreamUnit {
  readonly instant: ConsensusTimestamp;
  /** Name of the record file. */
  readonly name: string;
  /** Copies of the record file that have content, one per node that has it; none where signatures alone are there. */
  readonly records: readonly StreamFile[];
  /** Copies without a byte. */
  readonly emptyRecords: readonly StreamFile[];
  readonly signatures: readonly StreamFile[];
  readonly sidecars: readonly (StreamFile & { readonly id: number })[];
}

/** A file with its contents, for example an address book. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a source has now. */
export interface SourceUnits {
  /** In the order of time. */
  readonly units: readonly StreamUnit[];
  /** Begins of the units at or before the time that was asked for, as far as they were looked at; ascending. */
  readonly older: readonly ConsensusTimestamp[];
}

/**
 * Where units come from.
 *
 * @see contracts/streams.md sections 1 and 8
 */
export interface StreamSource {
  /** For people and for the stored units. */
  readonly name: string;
  /** The address book at the top of the source; null when there is none. */
  addressBook(): Promise<NamedBytes | null>;
  /** Units that begin later than `after`, all when it is null. */
  units(after: ConsensusTimestamp | null): Promise<SourceUnits>;
}
