import type { PackedSubmission, Submission } from './submission.ts';

/** Something on the form that is missing or wrong. */
export interface FieldFault {
  /** Name of the field; null when the form as a whole is meant. */
  readonly field: string | null;
  /** What is wrong and what to do, one or two sentences. */
  readonly text: string;
}

/** What the fields of the verification page come to. */
export type EnteredOutcome =
  | { readonly kind: 'faulty'; readonly faults: readonly FieldFault[] }
  /** The input defines several contracts and none was named. */
  | {
      readonly kind: 'choose';
      /** `path:Name`, those of the project before those of its libraries. */
      readonly contracts: readonly string[];
      /** Standard JSON without the output of the compiler. */
      readonly standardJson: string;
      readonly compilerVersion: string;
    }
  | {
      readonly kind: 'ready';
      readonly submission: Submission | PackedSubmission;
      /** For messages and for links to the same request of the API. */
      readonly target: string | null;
    };

/** A form of the verification page after it was read: plain data, small but for its submission. */
export interface SubmittedForm {
  /** Texts by the names of their fields, to show them again. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether texts or files were too large to be shown again. */
  readonly isCut: boolean;
  readonly outcome: EnteredOutcome;
}
