import { readFileSync } from 'node:fs';
import { sharedPath } from '../../../shared-data.ts';

/** One record file as the shared facts describe it. */
export interface FileFacts {
  readonly file: string;
  readonly sha256: string;
  readonly version: number;
  readonly size: number;
  readonly uncompressed_size: number;
  readonly hapi_version: number | string;
  readonly block_number: string | null;
  readonly count: number;
  readonly consensus_start: string;
  readonly consensus_end: string;
  readonly types: Readonly<Record<string, number>>;
  readonly results: Readonly<Record<string, number>>;
  readonly child_records: number;
  readonly scheduled_records: number;
  readonly previous_hash: string;
  readonly hash: string;
  readonly file_hash: string;
  readonly metadata_hash: string | null;
  readonly running_hash_recomputed: boolean | null;
  readonly sidecars?: readonly {
    readonly id: number;
    readonly file: string;
    readonly hash: string;
    readonly records: number;
  }[];
  readonly signatures?: readonly {
    readonly node_account: string;
    readonly signature_version: number;
    readonly verified: boolean;
  }[];
  readonly consensus?: {
    readonly nodes_in_book: number;
    readonly valid: number;
    readonly required: number;
    readonly reached: boolean;
  };
}

export interface SetFacts {
  readonly set: string;
  readonly kind: string;
  readonly files: readonly FileFacts[];
}

/** The sets of record files. */
export function recordSets(): readonly SetFacts[] {
  const facts = JSON.parse(readFileSync(streamPath('facts.json'), 'utf8')) as { sets: readonly SetFacts[] };
  return facts.sets.filter(({ kind }) => kind.startsWith('record'));
}

/** One block file as the shared facts describe it. */
export interface BlockFacts {
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly uncompressed_size: number;
  readonly block_number: string;
  readonly hapi_version: string;
  /** How many items there are of each kind. */
  readonly items: Readonly<Record<string, number>>;
  readonly transactions_without_result?: number;
  readonly wrapped?: {
    readonly record_file_version: number;
    readonly record_start_hash: string;
    readonly record_end_hash: string;
    readonly sidecars: number;
    readonly amendments: number;
    readonly signature_node_ids: readonly number[];
    readonly signed_hash: string;
    readonly signatures_verified: string;
  };
  readonly count: number;
  readonly consensus_start: string | null;
  readonly consensus_end: string | null;
  readonly types: Readonly<Record<string, number>>;
  readonly results: Readonly<Record<string, number>>;
  readonly root_algorithm: '16-leaf' | '8-leaf';
  readonly root_hash: string;
  readonly previous_root_hash: string;
  readonly all_blocks_root: string;
}

export interface BlockSetFacts {
  readonly set: string;
  readonly files: readonly BlockFacts[];
  /** Of each neighbouring pair: whether the second follows the first. */
  readonly links_ok: readonly boolean[];
  /** Of each block: whether it names the roots before it. */
  readonly all_blocks_root_ok: readonly boolean[];
}

/** The sets of block files. */
export function blockSets(): readonly BlockSetFacts[] {
  const facts = JSON.parse(readFileSync(streamPath('facts.json'), 'utf8')) as {
    sets: readonly (BlockSetFacts & { readonly kind: string })[];
  };
  return facts.sets.filter(({ kind }) => kind === 'blocks');
}

/** Path of a file of the shared stream data. */
export function streamPath(...parts: readonly string[]): string {
  return sharedPath('data', 'streams', ...parts);
}
