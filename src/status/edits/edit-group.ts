import { StatusNotFoundError } from '../errors.ts';
import { childrenOf, nextPosition } from '../model/page-order.ts';
import type { Component, PageState } from '../model/page-state.ts';
import { type Input, isGiven, readName, readText } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import type { EditContext } from './edit-context.ts';
import { blankComponent, withComponent } from './edited-state.ts';

/**
 * Makes a group of existing components: they get positions 1 to n in the order sent and leave their
 * former groups. The group itself goes to the end of the top level as it was before.
 *
 * @throws StatusValidationError naming everything that is wrong.
 * @see contracts/status.md section 4, Writing components
 */
export function createGroup(
  state: PageState,
  input: Input,
  context: EditContext,
): { readonly state: PageState; readonly id: string } {
  const problems = new ProblemList();
  const name = readName(input, problems);
  const description = readText(input, 'description', problems);
  const childIds = readChildIds(input, state, problems);
  problems.throwIfAny();
  const position = nextPosition(state.components, null);
  const group = { ...blankComponent(context), name, description, group: true, showcase: false, position };
  const extended = { ...state, components: [...state.components, group] };
  return { state: withChildren(extended, group.id, childIds), id: group.id };
}

/**
 * Changes name, description or the list of children; children that are left out go to the top level.
 *
 * @throws StatusNotFoundError, StatusValidationError
 */
export function updateGroup(state: PageState, id: string, input: Input): PageState {
  const group = findGroup(state, id);
  const problems = new ProblemList();
  const name = isGiven(input, 'name') ? readName(input, problems) : group.name;
  const description = isGiven(input, 'description')
    ? readText(input, 'description', problems)
    : group.description;
  const childIds = isGiven(input, 'components') ? readChildIds(input, state, problems) : null;
  problems.throwIfAny();
  const renamed = withComponent(state, { ...group, name, description });
  return childIds === null ? renamed : withChildren(renamed, id, childIds);
}

/**
 * Removes a group; its children go to the end of the top level in their order.
 *
 * @throws StatusNotFoundError
 */
export function deleteGroup(state: PageState, id: string): PageState {
  const children = childrenOf(state.components, findGroup(state, id).id);
  const freed = children.reduce(moveToTopLevel, state);
  return { ...freed, components: freed.components.filter((component) => component.id !== id) };
}

/** @throws StatusNotFoundError when there is no group with this id. */
export function findGroup(state: PageState, id: string): Component {
  const group = state.components.find((component) => component.group && component.id === id);
  if (group === undefined) throw new StatusNotFoundError('group', id);
  return group;
}

function readChildIds(input: Input, state: PageState, problems: ProblemList): readonly string[] {
  const value = input['components'] ?? [];
  if (!Array.isArray(value)) {
    problems.add('componentsInvalid');
    return [];
  }
  if (value.length === 0) problems.add('componentsBlank');
  const leaves = new Set<unknown>(state.components.filter(({ group }) => !group).map(({ id }) => id));
  if (value.some((id) => !leaves.has(id))) problems.add('componentsInvalid');
  return [...new Set<string>(value)];
}

function withChildren(state: PageState, groupId: string, childIds: readonly string[]): PageState {
  const current = childrenOf(state.components, groupId);
  const isSame =
    current.length === childIds.length && current.every((child, index) => child.id === childIds[index]);
  // Gaps that departures left are kept, so that repeating a call moves no timestamp.
  if (isSame) return state;
  const freed = current.filter(({ id }) => !childIds.includes(id)).reduce(moveToTopLevel, state);
  const components = freed.components.map((component) => {
    const index = childIds.indexOf(component.id);
    return index < 0 ? component : { ...component, groupId, position: index + 1 };
  });
  return { ...freed, components };
}

function moveToTopLevel(state: PageState, child: Component): PageState {
  return withComponent(state, {
    ...child,
    groupId: null,
    position: nextPosition(state.components, null),
  });
}
