import type { PageState } from '../model/page-state.ts';

/** Names the components that probes are bound to; a probe without a component is passed over. */
export function nameProbed(state: PageState, names: ReadonlyMap<string, string>): PageState {
  const isNamed = state.components.some(
    ({ name, probe }) => probe !== null && (names.get(probe) ?? name) !== name,
  );
  if (!isNamed) return state;
  const components = state.components.map((component) => {
    const name = component.probe === null ? undefined : names.get(component.probe);
    return name === undefined ? component : { ...component, name };
  });
  return { ...state, components };
}
