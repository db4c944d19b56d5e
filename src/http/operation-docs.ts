import type { TSchema } from '@sinclair/typebox';

/** Words about a parameter; members that the route's schema has win. */
export interface ParameterDocs {
  readonly description: string;
  /** One value; a parameter that may be repeated shows it as a list. */
  readonly example: string | number | boolean;
}

/** A query parameter that a route reads by hand, so that its schema does not name it. */
export interface AddedParameter extends ParameterDocs {
  readonly schema: TSchema;
  readonly required?: boolean;
}

/** What readers and generators of clients need to know of an operation beside the schema of its route. */
export interface OperationDocs {
  /** Stable name, camelCase: methods of generated clients are called so. */
  readonly id: string;
  readonly about: string;
  /** Statuses of refusals beside those that every operation of the area may answer. */
  readonly errors?: readonly number[];
  /** Words that differ from those that the area has for a parameter of this name. */
  readonly parameters?: Readonly<Record<string, ParameterDocs>>;
  readonly adds?: Readonly<Record<string, AddedParameter>>;
  /** Replaces the schema of the answer where the route sends what was printed before. */
  readonly answer?: TSchema;
  readonly answerType?: string;
  /** Further forms of the answer, by media type. */
  readonly otherAnswers?: Readonly<Record<string, TSchema>>;
  /** Body of a 404 that tells more than a refusal. */
  readonly notFound?: TSchema;
  /** Body by media type, where the route reads it by hand. */
  readonly body?: Readonly<Record<string, TSchema>>;
}
