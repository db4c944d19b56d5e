import { type TSchema, Type } from '@sinclair/typebox';
import type { OperationDocs } from '../../http/operation-docs.ts';
import type { Stretch } from '../model/page-state.ts';
import { type Input, isObject } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import type { StatusService } from '../service/create-status-service.ts';

/** A request of the management API. */
interface ManageRequest {
  /** Speaks for the token. */
  readonly service: StatusService;
  /** From the path. */
  readonly id: string;
  readonly updateId: string;
  readonly query: Input;
  readonly body: Input;
}

/** Calls by method and path, such as `GET /v1/pages/:pageId/incidents/:id`; `PATCH` stands for `PUT` as well. */
export type ManageCalls = Readonly<Record<string, ManageCall>>;

/** One call of the management API. */
export interface ManageCall {
  /** Stable name, as generated clients call it. */
  readonly id: string;
  readonly summary: string;
  readonly about: string;
  /** Query parameters that {@link ManageCall.run} reads. */
  readonly adds?: OperationDocs['adds'];
  readonly body?: TSchema;
  /** Absent: it answers without a body. */
  readonly answer?: TSchema;
  run(request: ManageRequest): Promise<unknown>;
}

export const UNCHANGED = 'With `If-Unmodified-Since`, only if nothing has changed since then; otherwise 409.';

/** What {@link readStretch} reads. */
export function sizedBy(name: 'per_page' | 'limit'): NonNullable<OperationDocs['adds']> {
  return {
    page: {
      description: 'Page of the list, starting at 1.',
      example: 1,
      schema: Type.Integer({ minimum: 1, default: 1 }),
    },
    [name]: {
      description: 'Items per page; a larger value means 100.',
      example: 20,
      schema: Type.Integer({ minimum: 1, default: 100 }),
    },
  };
}

const LARGEST_PAGE = 100;

/**
 * Reads `page`, from 1, and a size that is capped at 100.
 *
 * @param sizeName `per_page` or `limit`.
 * @throws StatusValidationError naming what is no positive whole number.
 */
export function readStretch(query: Input, sizeName: 'per_page' | 'limit' = 'per_page'): Stretch {
  const problems = new ProblemList();
  const read = (name: string, absent: number) => {
    const text = query[name] ?? '';
    if (text === '') return absent;
    const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1) problems.addUnreadable(name);
    return value;
  };
  const limit = Math.min(LARGEST_PAGE, read(sizeName, LARGEST_PAGE));
  const page = read('page', 1);
  problems.throwIfAny();
  return { limit, offset: (page - 1) * limit };
}

/** The items of a list that a stretch covers. */
export function cut<T>(items: readonly T[], { offset, limit }: Stretch): readonly T[] {
  return items.slice(offset, offset + limit);
}

/** A text of the query; absent or repeated gives empty text. */
export function queryText(query: unknown, name: string): string {
  const value = isObject(query) ? query[name] : undefined;
  return typeof value === 'string' ? value : '';
}
