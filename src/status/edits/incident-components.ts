import { fullName, inPageOrder } from '../model/page-order.ts';
import type { AffectedComponent, PageState } from '../model/page-state.ts';
import { type ComponentStatus, isComponentStatus, publicStatus } from '../rules/component-status.ts';
import { type ComputedImpact, impactOfComponents } from '../rules/indicator.ts';
import { type Input, isObject } from '../rules/input-members.ts';
import type { ProblemList } from '../rules/problems.ts';

/** What a call says about the components of an incident. */
type ComponentReferences = ReturnType<typeof readComponentReferences>;

/**
 * Reads `component_ids` (a list) and `components` (a list, or an object of id to status).
 *
 * @see contracts/status.md section 4, Writing incidents
 */
export function readComponentReferences(input: Input, state: PageState, problems: ProblemList) {
  const ids = input['component_ids'] ?? null;
  const components = input['components'] ?? null;
  const list = ids ?? (Array.isArray(components) ? components : null);
  const map = components === null || Array.isArray(components) ? {} : components;
  const leaves = new Set(state.components.filter(({ group }) => !group).map(({ id }) => id));
  const isLeaf = (id: unknown): id is string => typeof id === 'string' && leaves.has(id);

  if (list !== null && !(Array.isArray(list) && list.every(isLeaf))) problems.add('componentsInvalid');
  if (!isObject(map)) problems.add('componentsInvalid');
  const statuses = new Map<string, ComponentStatus | null>();
  for (const [id, status] of Object.entries(isObject(map) ? map : {})) {
    if (!isLeaf(id)) problems.add('componentsInvalid');
    if (status === '' || status === null) statuses.set(id, null);
    else if (isComponentStatus(status)) statuses.set(id, status);
    else problems.add('componentStatusUnknown');
  }
  return {
    /** Whether the call had `components` or `component_ids` at all. */
    isGiven: ids !== null || components !== null,
    /** Replaces the attached set when not null; comes before `statuses`. */
    set: Array.isArray(list) ? list.filter(isLeaf) : null,
    /** Ids to attach when missing; their manual status, or null to leave it. */
    statuses,
  };
}

/** Whether a call names at least one component. */
export function namesComponents(references: ComponentReferences): boolean {
  return (references.set?.length ?? 0) > 0 || references.statuses.size > 0;
}

/** The attached ids after a call: the set first, then whatever got a status. */
export function attachedAfter(
  current: readonly string[],
  references: ComponentReferences,
): readonly string[] {
  return [...new Set([...(references.set ?? current), ...references.statuses.keys()])].sort();
}

/** The statuses that a call sets, without those that it only attaches. */
export function setStatuses(references: ComponentReferences): ReadonlyMap<string, ComponentStatus> {
  const statuses = new Map<string, ComponentStatus>();
  for (const [id, status] of references.statuses) if (status !== null) statuses.set(id, status);
  return statuses;
}

/** The attached components in page order with their public status before and after. */
export function affectedComponents(
  before: PageState,
  after: PageState,
  componentIds: readonly string[],
): readonly AffectedComponent[] {
  const attached = after.components.filter(({ id }) => componentIds.includes(id));
  return inPageOrder(attached).map((component) => {
    const earlier = before.components.find(({ id }) => id === component.id) ?? component;
    return {
      code: component.id,
      name: fullName(component, after.components),
      old_status: publicStatus(earlier),
      new_status: publicStatus(component),
    };
  });
}

/** Whether any of them changed in the eyes of visitors. */
export function hasPublicChange(affected: readonly AffectedComponent[]): boolean {
  return affected.some(({ old_status, new_status }) => old_status !== new_status);
}

/** The impact that the attached components give as they are in `state`. */
export function impactOfAttached(state: PageState, componentIds: readonly string[]): ComputedImpact {
  const attached = state.components.filter(({ id }) => componentIds.includes(id));
  return impactOfComponents(attached.map(publicStatus));
}
