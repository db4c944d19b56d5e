import { BUILT_IN_PARTS, fillTemplate } from '../status/index.ts';

/** What the component of the mirror API is called by the configuration, as far as it is known; null: as it is. */
export function mirrorName(
  { mirrorName: template, network }: { readonly mirrorName: string | null; readonly network: string | null },
  networkVersion: () => string | null,
): () => string | null {
  const part = BUILT_IN_PARTS.find(({ component }) => component.probe === 'mirror-api');
  if (template === null || part === undefined) return () => null;
  const { name } = part.component;
  return () => fillTemplate(template, { network, version: networkVersion(), name });
}
