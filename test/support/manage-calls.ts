import { readFileSync } from 'node:fs';

/** A call of the management API. */
export interface ManageCall {
  readonly method: string;
  /** With `{pageId}`, `{id}` and `{updateId}`. */
  readonly template: string;
  /** The member that the body has; null without one. */
  readonly noun: string | null;
}

/** Every call of the management API, read from its description in `openapi/`. */
export const MANAGE_CALLS: readonly ManageCall[] = (() => {
  interface Operation {
    readonly requestBody?: {
      readonly content: Readonly<Record<string, { schema: { properties?: Record<string, unknown> } }>>;
    };
  }
  const file = new URL('../../openapi/status.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, { requestBody }]) => {
        const { schema } = Object.values(requestBody?.content ?? {})[0] ?? {};
        const noun = Object.keys(schema?.properties ?? {}).find((name) => name !== 'description') ?? null;
        return { method: method.toUpperCase(), template, noun };
      }),
    );
})();
