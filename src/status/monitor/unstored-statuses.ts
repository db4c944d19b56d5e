import type { PageState } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { StatusRepository } from '../store/status-repository.ts';

/**
 * What the monitor has found and could not store. The page shows it all the same: a database that takes no writes is
 * among the things that it has to show.
 */
export class UnstoredStatuses {
  #byProbe: ReadonlyMap<string, ComponentStatus> = new Map();
  #changedAt = 0;
  #changes = 0;

  /** How often they changed: whoever keeps what is built of the page builds it again. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * @param byProbe statuses by name of the probe; empty: everything is stored.
   * @param now UTC milliseconds.
   * @returns whether that is something else than before.
   */
  set(byProbe: ReadonlyMap<string, ComponentStatus>, now: number): boolean {
    const isSame =
      byProbe.size === this.#byProbe.size &&
      [...byProbe].every(([probe, status]) => this.#byProbe.get(probe) === status);
    if (isSame) return false;
    this.#byProbe = new Map(byProbe);
    this.#changedAt = now;
    this.#changes++;
    return true;
  }

  /** The state as it would be if they were stored; numbers of the page only ever grow. */
  applyTo(state: PageState): PageState {
    if (this.#changes === 0) return state;
    const { page } = state;
    const revision = page.revision + this.#changes;
    if (this.#byProbe.size === 0) return { ...state, page: { ...page, revision } };
    const updatedAt = Math.max(page.updatedAt, this.#changedAt);
    const components = state.components.map((component) => {
      const monitorStatus = component.probe === null ? undefined : this.#byProbe.get(component.probe);
      return monitorStatus === undefined ? component : { ...component, monitorStatus, updatedAt };
    });
    return { ...state, page: { ...page, revision, updatedAt }, components };
  }
}

/** The reads of the public side. */
export function withUnstored(repository: StatusRepository, unstored: UnstoredStatuses): StatusRepository {
  return {
    ...repository,
    read: async (incidentId) => unstored.applyTo(await repository.read(incidentId)),
    readPublished: async () => unstored.applyTo(await repository.readPublished()),
    readHistory: async (search, stretch) => unstored.applyTo(await repository.readHistory(search, stretch)),
    revision: async () => (await repository.revision()) + unstored.changes,
  };
}
