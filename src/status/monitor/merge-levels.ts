import { type ComponentStatus, severity } from '../rules/component-status.ts';

/**
 * What several replicas found of a part, as one level: the worst that more than half of them found at least. Where just
 * half found worse, that counts as well, though as no more than a partial outage: every second request meets it.
 *
 * @param found one level of each replica, at least one; their order does not matter.
 * @see docs/adr/0023-status-page.md
 */
export function mergeLevels(found: readonly ComponentStatus[]): ComponentStatus {
  const sorted = [...found].sort((a, b) => severity(a) - severity(b));
  const ofMost = sorted[Math.floor((sorted.length - 1) / 2)] ?? 'operational';
  const ofHalf = sorted[Math.floor(sorted.length / 2)] ?? ofMost;
  if (severity(ofHalf) <= severity('partial_outage')) return ofHalf;
  return severity(ofMost) > severity('partial_outage') ? ofMost : 'partial_outage';
}
