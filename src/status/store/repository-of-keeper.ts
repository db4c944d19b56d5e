import type { PageKeeping } from './page-keeping.ts';
import type { StatusRepository } from './status-repository.ts';

/** The repository of what the keeper does by itself: nothing is changed when another replica took over. */
export function repositoryOfKeeper(repository: StatusRepository, keeping: PageKeeping): StatusRepository {
  return {
    ...repository,
    change: (incidentId, decide) => repository.change(incidentId, decide, keeping.token()),
    beginRun: (now, decide) => repository.beginRun(now, decide, keeping.token()),
  };
}
