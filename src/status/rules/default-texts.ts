import type { IncidentStatus } from './incident-status.ts';
import { isObject } from './input-members.ts';

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

const MAX_TEXT_LENGTH = 25_000;

/**
 * Reads texts that replace default ones: a JSON object by state.
 *
 * @param onProblem is told what is wrong; then the rest still counts.
 */
export function parseUpdateTexts(json: string, onProblem: (problem: string) => void): Partial<UpdateTexts> {
  let texts: unknown;
  try {
    texts = JSON.parse(json);
  } catch {
    // JSON.parse throws only for text that is no JSON.
    texts = null;
  }
  if (!isObject(texts)) {
    onProblem('is not a JSON object of texts by status');
    return {};
  }
  const known = Object.keys(DEFAULT_TEXTS);
  const isText = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
  for (const [name, text] of Object.entries(texts)) {
    if (!known.includes(name)) onProblem(`"${name}" is not one of ${known.join(', ')}`);
    else if (!isText(text)) onProblem(`the text of "${name}" must have 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  return Object.fromEntries(
    Object.entries(texts).filter(([name, text]) => known.includes(name) && isText(text)),
  );
}
