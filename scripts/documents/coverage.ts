import { HIERO_MIRROR } from './references/hiero-mirror.ts';
import type { Reference, ReferenceEndpoint } from './references/reference.ts';
import { SOURCIFY } from './references/sourcify.ts';
import { STATUSPAGE } from './references/statuspage.ts';
import type { HasRoute } from './served-routes.ts';
import { generatedPage, table } from './tables.ts';

export const REFERENCES: readonly Reference[] = [SOURCIFY, STATUSPAGE, HIERO_MIRROR];

type Verdict = 'served' | 'partly' | 'not served';

/**
 * What the routes say of an endpoint of a reference; the list adds only why.
 *
 * @throws Error when the list claims what the routes deny, or the other way round.
 */
export function verdictOf(endpoint: ReferenceEndpoint, hasRoute: HasRoute): Verdict {
  const methods = endpoint.methods.split(' ');
  const there = methods.filter((method) => hasRoute(method, endpoint.path));
  const name = `${endpoint.methods} ${endpoint.path}`;
  if (endpoint.absent !== undefined) {
    if (there.length > 0) throw new Error(`${name} is served now: take its reason out of the list`);
    return 'not served';
  }
  if (there.length < methods.length) throw new Error(`${name} is not served: the list must say why`);
  return endpoint.partly === undefined ? 'served' : 'partly';
}

/** `docs/coverage.md`: every endpoint of every reference. */
export function coveragePage(hasRoute: HasRoute): string {
  const sections = REFERENCES.map(({ name, documents, version, groups }) => {
    const rows = groups.flatMap(({ endpoints }) =>
      endpoints.map((endpoint) => [
        `${endpoint.methods.replaceAll(' ', ', ')} \`${endpoint.path}\``,
        verdictOf(endpoint, hasRoute),
        endpoint.absent ?? endpoint.partly ?? '',
      ]),
    );
    return `## ${name}\n\n[Documentation](${documents}): version ${version}.\n\n${table(['Endpoint', 'Here', 'Why'], rows)}`;
  });
  return generatedPage('Coverage of the references', [
    'The lists come from the references, the verdicts from the routes of this server. [endpoints.md](endpoints.md) also lists endpoints that only this server has.',
    coverageSummary(hasRoute),
    ...sections,
  ]);
}

/**
 * The short form: one row for each group, with what is missing.
 *
 * @throws Error when a group misses something and does not say what, or the other way round.
 */
function coverageSummary(hasRoute: HasRoute): string {
  const rows = REFERENCES.flatMap(({ name, groups }) =>
    groups.map((group) => {
      const verdicts = group.endpoints.map((endpoint) => verdictOf(endpoint, hasRoute));
      const full = verdicts.filter((each) => each === 'served').length;
      if ((full === verdicts.length) !== (group.missing === undefined)) {
        throw new Error(
          `${name}, ${group.name}: serves ${full} of ${verdicts.length}, missing: ${group.missing}`,
        );
      }
      return [`${name}, ${group.name}`, `${full} of ${verdicts.length}`, group.missing ?? ''];
    }),
  );
  return table(['Reference', 'Served in full', 'Missing'], rows);
}
