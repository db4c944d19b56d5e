import { readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import type { AreaName } from '../../src/http/area.ts';
import type { OperationDocs, ParameterDocs } from '../../src/http/operation-docs.ts';

/** Real requests and answers, cut to a readable length. */
interface OperationExamples {
  readonly request?: unknown;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** What the documents say of an area and its operations. */
export interface AreaDocs {
  readonly about: string;
  /** Keyed by `METHOD /path/{parameter}`. */
  readonly operations: Readonly<Record<string, OperationDocs>>;
  readonly parameters: Readonly<Record<string, ParameterDocs>>;
  /** Statuses of refusals that every operation may answer. */
  readonly errors: readonly number[];
  /** The words for a status. */
  errorText(status: number): string;
  /** The body of a refusal; its name is its `title`. */
  errorSchema(path: string): TSchema;
  /** Keyed by the operation's id. */
  readonly examples: Readonly<Record<string, OperationExamples>>;
  /** Of refusals, by the title of their schema and their status. */
  readonly errorExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The examples of an area as `npm run openapi:examples` recorded them. */
export function recordedExamples(area: AreaName): Pick<AreaDocs, 'examples' | 'errorExamples'> {
  return JSON.parse(readFileSync(new URL(`${area}/examples.json`, import.meta.url), 'utf8'));
}
