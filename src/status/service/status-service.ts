import type {
  ManagedComponent,
  ManagedGroup,
  ManagedIncident,
  ManagedPage,
  ManagedPostmortem,
} from '../documents/managed-schemas.ts';
import type { IncidentUpdateDocument } from '../documents/schemas.ts';
import type { Caller } from '../model/changes.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { Input } from '../rules/input-members.ts';
import type { SubscriberCalls } from '../subscribers/subscriber-calls.ts';
import type { StatusReads } from './status-reads.ts';

/**
 * Everything that people read and change of the status page: one method per call, one instant and one
 * transaction each.
 *
 * Inputs are the members of a call as parsed. Methods that name something throw StatusNotFoundError when
 * it does not exist, those that take an input StatusValidationError when that is refused; then nothing
 * is stored. Answers are the representations of the management API.
 *
 * @see contracts/status.md section 4
 */
export interface StatusService extends StatusReads, SubscriberCalls {
  /** The same service for a named caller. @throws StatusConflictError from calls that its condition refuses. */
  by(caller: Caller): StatusService;
  updatePage(input: Input): Promise<ManagedPage>;
  createComponent(input: Input): Promise<ManagedComponent>;
  updateComponent(id: string, input: Input): Promise<ManagedComponent>;
  deleteComponent(id: string): Promise<void>;
  createGroup(input: Input): Promise<ManagedGroup>;
  updateGroup(id: string, input: Input): Promise<ManagedGroup>;
  /** @returns the group as it was. */
  deleteGroup(id: string): Promise<ManagedGroup>;
  /** Opens an incident or plans a maintenance. */
  createIncident(input: Input): Promise<ManagedIncident>;
  /** Edits, updates, resolves or moves an incident or maintenance. */
  updateIncident(id: string, input: Input): Promise<ManagedIncident>;
  /** @returns the incident as it was. */
  deleteIncident(id: string): Promise<ManagedIncident>;
  editIncidentUpdate(incidentId: string, updateId: string, input: Input): Promise<IncidentUpdateDocument>;
  /** Writes the text of a postmortem. */
  writePostmortem(incidentId: string, input: Input): Promise<ManagedPostmortem>;
  /** Shows it: the resolved incident goes to `postmortem`. */
  publishPostmortem(incidentId: string, input: Input): Promise<ManagedPostmortem>;
  /** Takes it back; the text stays. */
  revertPostmortem(incidentId: string): Promise<ManagedPostmortem>;
  deletePostmortem(incidentId: string): Promise<void>;
  /** Does what is due now: reminders, starts and completions of maintenances. */
  runMaintenanceSchedule(): Promise<void>;
  /** Sets smoothed probe results by component id. */
  setMonitorStatuses(statuses: ReadonlyMap<string, ComponentStatus>): Promise<void>;
  /** Sets smoothed results by name of the probe; a probe without a component is passed over. */
  setProbeStatuses(statuses: ReadonlyMap<string, ComponentStatus>): Promise<void>;
  /** Names components by their probe; a probe without a component is passed over. */
  nameProbed(names: ReadonlyMap<string, string>): Promise<void>;
}
