import { readFileSync } from 'node:fs';
import { sharedDataMissing, sharedPath } from '../../../../test/shared-data.ts';

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

/** The sets of record files; empty when the shared folder is absent. */
export function recordSets(): readonly SetFacts[] {
  if (sharedDataMissing !== null) return [];
  const facts = JSON.parse(readFileSync(streamPath('facts.json'), 'utf8')) as { sets: readonly SetFacts[] };
  return facts.sets.filter(({ kind }) => kind.startsWith('record'));
}

/** Path of a file of the shared stream data. */
export function streamPath(...parts: readonly string[]): string {
  return sharedPath('data', 'streams', ...parts);
}
