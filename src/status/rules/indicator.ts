import type { ComponentStatus } from './component-status.ts';

export const INDICATORS = ['none', 'maintenance', 'minor', 'major', 'critical'] as const;
type Indicator = (typeof INDICATORS)[number];

/** Values of `impact` and `impact_override`. @see contracts/status.md section 3 */
export const IMPACTS = INDICATORS;
export type Impact = Indicator;

/** Impacts that follow from component states, mildest first. */
const COMPUTED_IMPACTS = ['none', 'minor', 'major', 'critical'] as const;
export type ComputedImpact = (typeof COMPUTED_IMPACTS)[number];

/** Fixed texts: clients switch on them. @see contracts/status.md section 3, Overall indicator */
export const DESCRIPTIONS = [
  'All Systems Operational',
  'Major System Outage',
  'Partial System Outage',
  'Minor Service Outage',
  'Degraded System Service',
  'Partially Degraded Service',
  'Service Under Maintenance',
] as const;

/** An indicator and the fixed text that goes with it. */
export interface OverallStatus {
  readonly indicator: Indicator;
  readonly description: (typeof DESCRIPTIONS)[number];
}

const OPERATIONAL: OverallStatus = { indicator: 'none', description: 'All Systems Operational' };
const MAINTENANCE: OverallStatus = { indicator: 'maintenance', description: 'Service Under Maintenance' };

const BY_IMPACT: Readonly<Record<ComputedImpact, OverallStatus>> = {
  none: OPERATIONAL,
  minor: { indicator: 'minor', description: 'Minor Service Outage' },
  major: { indicator: 'major', description: 'Partial System Outage' },
  critical: { indicator: 'critical', description: 'Major System Outage' },
};

/** What counts for a page without components. */
export interface OpenEntries {
  /** Impacts of the open real-time incidents. */
  readonly incidentImpacts: readonly Impact[];
  /** Whether a maintenance is in progress or verifying. */
  readonly hasRunningMaintenance: boolean;
}

/**
 * The overall state of a page from the public states of its leaf components, rows 1 to 10.
 *
 * Open incidents count only when there are no components.
 *
 * @see contracts/status.md section 3, Overall indicator
 */
export function overallStatus(leaves: readonly ComponentStatus[], open: OpenEntries): OverallStatus {
  if (leaves.length > 0) return componentsStatus(leaves);
  const worst = highestImpact(open.incidentImpacts.filter(isComputedImpact));
  if (worst !== 'none') return BY_IMPACT[worst];
  return open.hasRunningMaintenance ? MAINTENANCE : OPERATIONAL;
}

/**
 * The worst impact of open incidents where the components alone would say that all is well, else null.
 *
 * The API's indicator comes from the components; people must not read "All Systems Operational" beside an open incident.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function impactBeyond(overall: Indicator, openImpacts: readonly Impact[]): Impact | null {
  if (overall !== 'none' || openImpacts.length === 0) return null;
  return INDICATORS[Math.max(...openImpacts.map((impact) => INDICATORS.indexOf(impact)))] ?? null;
}

function componentsStatus(leaves: readonly ComponentStatus[]): OverallStatus {
  const count = (status: ComponentStatus) => leaves.filter((leaf) => leaf === status).length;
  const all = leaves.length;
  const major = count('major_outage');
  if (major > 0) return major === all ? BY_IMPACT.critical : BY_IMPACT.major;
  const partial = count('partial_outage');
  if (partial > 0) return partial === all ? BY_IMPACT.major : BY_IMPACT.minor;
  const degraded = count('degraded_performance');
  if (degraded > 0) {
    const isWhole = degraded === all && all >= 2;
    return {
      indicator: 'minor',
      description: isWhole ? 'Degraded System Service' : 'Partially Degraded Service',
    };
  }
  return count('under_maintenance') > 0 ? MAINTENANCE : OPERATIONAL;
}

/** The impact that the attached components' public states give; a maintenance counts as none. */
export function impactOfComponents(statuses: readonly ComponentStatus[]): ComputedImpact {
  if (statuses.length === 0) return 'none';
  const { indicator } = componentsStatus(statuses);
  return isComputedImpact(indicator) ? indicator : 'none';
}

/** The worst of some computed impacts; none when there are none. */
export function highestImpact(impacts: readonly ComputedImpact[]): ComputedImpact {
  const rank = Math.max(0, ...impacts.map((impact) => COMPUTED_IMPACTS.indexOf(impact)));
  return COMPUTED_IMPACTS[rank] ?? 'none';
}

/**
 * The impact shown for an entry: its override, else `maintenance`, else the highest ever computed.
 *
 * @see contracts/status.md section 3, Incident impact
 */
export function shownImpact(entry: {
  readonly kind: 'realtime' | 'maintenance';
  readonly impactOverride: Impact | null;
  readonly peakImpact: ComputedImpact;
}): Impact {
  return entry.impactOverride ?? (entry.kind === 'maintenance' ? 'maintenance' : entry.peakImpact);
}

export function isImpact(value: unknown): value is Impact {
  return (IMPACTS as readonly unknown[]).includes(value);
}

function isComputedImpact(impact: Impact): impact is ComputedImpact {
  return impact !== 'maintenance';
}
