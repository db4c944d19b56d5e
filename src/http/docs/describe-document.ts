import type { AreaDocs } from './area-docs.ts';
import { describeOperation } from './describe-operation.ts';
import { isObject, type Json } from './json-value.ts';
import { nameParts } from './name-parts.ts';

/** What the areas tell, by name. */
export type DocsOfAreas = Readonly<Record<string, AreaDocs | undefined>>;

/**
 * Completes the document that the routes give: the areas' words and examples, errors, and schemas by name.
 *
 * An operation that no area describes stays as its route has it; `test/openapi/rules.test.ts` names it.
 */
export function describeDocument(raw: Json, areas: DocsOfAreas, names: ReadonlySet<string>): Json {
  const paths: Record<string, Json> = {};
  for (const [rawPath, item] of Object.entries(raw['paths'] as Json)) {
    const path = rawPath.replace('{*}', '{path}');
    const operations = Object.entries(item as Json).flatMap(([method, operation]) => {
      const area = areaOf(operation);
      if (area === null || !names.has(area) || !isObject(operation)) return [];
      const known = areas[area];
      const docs = known?.operations[`${method.toUpperCase()} ${path}`];
      if (known === undefined || docs === undefined) return [[method, operation] as const];
      return [[method, describeOperation(operation, path, known, docs)] as const];
    });
    if (operations.length > 0) paths[path] = Object.fromEntries(operations);
  }
  const { document, responses, schemas } = nameParts(paths);
  const usesToken = JSON.stringify(document).includes('"statusToken"');
  const { securitySchemes } = (raw['components'] ?? {}) as Json;
  return {
    openapi: raw['openapi'],
    info: raw['info'],
    servers: raw['servers'],
    security: [],
    tags: [...names].map((name) => ({ name, description: areas[name]?.about ?? name })),
    paths: document,
    components: { schemas, responses, ...(usesToken ? { securitySchemes } : {}) },
  };
}

function areaOf(operation: unknown): string | null {
  const tags = isObject(operation) ? operation['tags'] : null;
  return Array.isArray(tags) ? ((tags[0] as string | undefined) ?? null) : null;
}
