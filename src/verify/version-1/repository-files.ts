import { checksumAddress } from '../address.ts';
import type { StoredContract } from '../contracts/contract-repository.ts';
import { type MatchStatus, statusOfMatch } from './match-status.ts';

/** A file of a verified contract as version 1 shows it. */
interface RepositoryFile {
  /** Last part of the path. */
  readonly name: string;
  /** From the root of the repository on, without a slash before it. */
  readonly path: string;
  readonly content: string;
}

/** Folder of the files of contracts by how well they match. */
const FOLDER_OF_STATUS = { perfect: 'full_match', partial: 'partial_match' } as const satisfies Record<
  MatchStatus,
  string
>;

/** Lists the files of a verified contract: its sources, its metadata and what else is known of its code. */
export function listRepositoryFiles(contract: StoredContract): readonly RepositoryFile[] {
  const { match, metadata, sources, deployment, creation, runtime } = contract;
  const root = `contracts/${FOLDER_OF_STATUS[statusOfMatch(match)]}/${match.chainId}/${checksumAddress(match.address)}`;
  const files: (readonly [string, string | null])[] = [
    ['metadata.json', metadata],
    ['creator-tx-hash.txt', deployment.transactionHash],
    ['constructor-args.txt', creation.values?.constructorArguments ?? null],
    ['library-map.json', printIfAny(runtime.values?.libraries ?? creation.values?.libraries)],
    ['immutable-references.json', printIfAny(runtime.artifacts['immutableReferences'])],
    ...Object.entries(sources).map(([path, { content }]) => [`sources/${path}`, content] as const),
  ];
  return files.flatMap(([path, content]) =>
    content === null
      ? []
      : [{ name: path.slice(path.lastIndexOf('/') + 1), path: `${root}/${path}`, content }],
  );
}

/** Null for nothing and for an empty object. */
function printIfAny(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  return JSON.stringify(value);
}
