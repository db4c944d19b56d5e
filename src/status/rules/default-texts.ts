import type { IncidentStatus } from './incident-status.ts';

/** Bodies of updates that came without one, by state; `reminder` announces a maintenance. */
export type UpdateTexts = Readonly<Record<Exclude<IncidentStatus, 'postmortem'> | 'reminder', string>>;

/** @see contracts/status.md section 4, Writing incidents */
export const DEFAULT_TEXTS: UpdateTexts = {
  investigating: 'Investigation has started.',
  identified: 'The cause has been found and a fix is being prepared.',
  monitoring: 'A fix is in place and is being watched.',
  resolved: 'The incident is resolved.',
  scheduled: 'Maintenance is planned for the window shown.',
  in_progress: 'The maintenance has started.',
  verifying: 'The maintenance work is done and is being checked.',
  completed: 'The maintenance is complete.',
  reminder: 'Reminder: this maintenance starts in 60 minutes.',
};

/** The default body for a state; a postmortem without text of its own reads like a resolution. */
export function defaultText(texts: UpdateTexts, status: IncidentStatus): string {
  return status === 'postmortem' ? texts.resolved : texts[status];
}
