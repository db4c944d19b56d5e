import { operationsOf, readWholeDocument } from './openapi-document.ts';

/** A call of the management API. */
export interface ManageCall {
  readonly method: string;
  /** With `{pageId}`, `{id}` and `{updateId}`. */
  readonly template: string;
  /** The member that the body has; null without one. */
  readonly noun: string | null;
}

/** Every call of the management API, read from its description in `openapi/`. */
export const MANAGE_CALLS: readonly ManageCall[] = operationsOf(readWholeDocument('status'))
  .filter(([, path]) => path.startsWith('/v1/'))
  .map(([method, template, { requestBody }]) => {
    const { schema } = Object.values(requestBody?.content ?? {})[0] ?? {};
    const noun = Object.keys(schema?.properties ?? {}).find((name) => name !== 'description') ?? null;
    return { method, template, noun };
  });
