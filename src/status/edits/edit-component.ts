import { nextPosition } from '../model/page-order.ts';
import type { Component, PageState } from '../model/page-state.ts';
import { type ComponentStatus, isComponentStatus } from '../rules/component-status.ts';
import { type Input, isGiven, readFlag, readInstant, readName, readText } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import type { EditContext } from './edit-context.ts';
import { deleteGroup } from './edit-group.ts';
import { blankComponent, findComponent, withComponent, withoutComponent } from './edited-state.ts';

/**
 * Adds a component at the end of its parent.
 *
 * @throws StatusValidationError naming everything that is wrong.
 * @see contracts/status.md section 4, Writing components
 */
export function createComponent(
  state: PageState,
  input: Input,
  context: EditContext,
): { readonly state: PageState; readonly id: string } {
  const problems = new ProblemList();
  const blank: Component = { ...blankComponent(context), name: readName(input, problems) };
  const component = readMembers(blank, input, state, problems);
  problems.throwIfAny();
  const placed = { ...component, position: nextPosition(state.components, component.groupId) };
  return { state: { ...state, components: [...state.components, placed] }, id: placed.id };
}

/**
 * Changes the members that are given; the same values again change nothing.
 *
 * @throws StatusNotFoundError, StatusValidationError
 */
export function updateComponent(state: PageState, id: string, input: Input): PageState {
  const component = findComponent(state, id);
  const problems = new ProblemList();
  const name = isGiven(input, 'name') ? readName(input, problems) : component.name;
  const changed = readMembers({ ...component, name }, input, state, problems);
  problems.throwIfAny();
  const hasMoved = changed.groupId !== component.groupId;
  const position = hasMoved ? nextPosition(state.components, changed.groupId) : component.position;
  return withComponent(state, { ...changed, position });
}

/**
 * Removes a component and detaches it from all incidents; a group frees its children first.
 *
 * @throws StatusNotFoundError
 */
export function deleteComponent(state: PageState, id: string): PageState {
  if (findComponent(state, id).group) return deleteGroup(state, id);
  return withoutComponent(state, id);
}

function readMembers(component: Component, input: Input, state: PageState, problems: ProblemList): Component {
  return {
    ...component,
    description: isGiven(input, 'description')
      ? readText(input, 'description', problems)
      : component.description,
    manualStatus: readManualStatus(component, input, problems),
    groupId: readGroupId(component, input, state, problems),
    showcase: readFlag(input, 'showcase', component.showcase, problems),
    onlyShowIfDegraded: readFlag(input, 'only_show_if_degraded', component.onlyShowIfDegraded, problems),
    startDate: readStartDate(component, input, problems),
  };
}

function readManualStatus(component: Component, input: Input, problems: ProblemList): ComponentStatus {
  const status = input['status'] ?? null;
  if (status === null) return component.manualStatus;
  if (component.group) {
    problems.add('groupStatus');
  } else if (isComponentStatus(status)) {
    return status;
  } else {
    problems.add('statusUnknown');
  }
  return component.manualStatus;
}

function readGroupId(
  component: Component,
  input: Input,
  state: PageState,
  problems: ProblemList,
): string | null {
  if (!isGiven(input, 'group_id')) return component.groupId;
  const groupId = input['group_id'];
  if (groupId === null || groupId === '') return null;
  const parent = state.components.find(({ id, group }) => group && id === groupId);
  // Groups do not nest.
  if (parent === undefined || component.group) {
    problems.add('groupInvalid');
    return component.groupId;
  }
  return parent.id;
}

function readStartDate(component: Component, input: Input, problems: ProblemList): string | null {
  if (!isGiven(input, 'start_date')) return component.startDate;
  const instant = readInstant(input, 'start_date', null, problems);
  return instant === null ? null : new Date(instant).toISOString().slice(0, 10);
}
