/**
 * Component states, mildest first: the order is the order of severity.
 *
 * @see contracts/status.md section 3
 */
export const COMPONENT_STATUSES = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;

export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

export function isComponentStatus(value: unknown): value is ComponentStatus {
  return (COMPONENT_STATUSES as readonly unknown[]).includes(value);
}

/** 0 for operational to 4 for a major outage. */
export function severity(status: ComponentStatus): number {
  return COMPONENT_STATUSES.indexOf(status);
}

/** The most severe of some states; operational when there are none. */
export function worstStatus(statuses: Iterable<ComponentStatus>): ComponentStatus {
  let worst: ComponentStatus = 'operational';
  for (const status of statuses) if (severity(status) > severity(worst)) worst = status;
  return worst;
}

/**
 * What visitors see of the two layers: a maintenance declared by hand, else the more severe one.
 *
 * @see contracts/status.md section 7
 */
export function publicStatus(layers: {
  readonly manualStatus: ComponentStatus;
  readonly monitorStatus: ComponentStatus;
}): ComponentStatus {
  if (layers.manualStatus === 'under_maintenance') return 'under_maintenance';
  return worstStatus([layers.manualStatus, layers.monitorStatus]);
}
