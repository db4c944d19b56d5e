import type { DocumentCache } from '../../pages/document-cache.ts';
import { type EncodedDocument, encodeDocument } from '../../pages/encoded-document.ts';
import { findComponent } from '../edits/component-state.ts';
import { findIncident } from '../edits/incident-state.ts';
import { StatusNotFoundError } from '../errors.ts';
import type { PageState } from '../model/page-state.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { describePage } from './describe-page.ts';
import { uptimeDocument, uptimeStart } from './uptime-document.ts';

/** Uptime changes by itself; to the percent nobody sees a minute. */
const UPTIME_KEEP_MS = 60_000;

/** The documents of the API that are not built with each change, but when somebody asks. */
export interface OnDemandDocuments {
  /** Uptime of 90 days, at most a minute old. */
  uptime(): Promise<EncodedDocument>;
  /** @throws StatusNotFoundError */
  component(id: string): Promise<EncodedDocument>;
  /** An incident or a maintenance. @throws StatusNotFoundError */
  incident(id: string): Promise<EncodedDocument>;
}

/** @see contracts/status.md section 2, Other public documents */
export function createOnDemandDocuments(
  repository: StatusRepository,
  cache: Pick<DocumentCache, 'get'>,
): OnDemandDocuments {
  return {
    uptime: () =>
      cache.get('uptime.json', UPTIME_KEEP_MS, async (now) => {
        const state = await repository.read(null);
        const events = await repository.readEvents(uptimeStart(state, now));
        return encodeDocument(uptimeDocument(state, events, now), new Date(now).toUTCString());
      }),
    component: (id) =>
      cache.get(`component ${id}.json`, null, async () => {
        if (!(await repository.hasComponent(id))) throw new StatusNotFoundError('component', id);
        const state = await repository.read(null);
        const { id: found } = findComponent(state, id);
        const { page, components } = describePage(state);
        return ofPage(state, { page, component: components.find((each) => each.id === found) });
      }),
    incident: (id) =>
      cache.get(`incident ${id}.json`, null, async () => {
        if (!(await repository.hasIncident(id))) throw new StatusNotFoundError('incident', id);
        const state = await repository.read(id);
        const found = findIncident(state, id);
        const describe = describePage(state);
        const incident = found.kind === 'realtime' ? describe.incident(found) : describe.maintenance(found);
        return ofPage(state, { page: describe.page, incident });
      }),
  };
}

function ofPage({ page }: PageState, document: unknown): EncodedDocument {
  return encodeDocument(document, new Date(page.updatedAt).toUTCString());
}
