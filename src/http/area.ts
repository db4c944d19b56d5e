import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { AreaPaths } from './area-paths.ts';
import type { AnswerDirectly } from './direct-answer.ts';

/** What is sent for an error: status, JSON body and extra headers. */
export interface ErrorAnswer {
  readonly statusCode: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Turns errors into the body that one area's clients parse.
 *
 * @see contracts/client-needs.md section 2, rules 2 and 10
 */
export interface ErrorMapper {
  /** Any error thrown below the area's paths: validation, body parsing, domain errors, faults. */
  fromError(error: unknown, request: FastifyRequest): ErrorAnswer;
  /** A path of the area that no route serves. */
  notFound(request: FastifyRequest): ErrorAnswer;
  /** A known path with a method it does not have; `allowed` lists those it has. */
  methodNotAllowed(request: FastifyRequest, allowed: readonly string[]): ErrorAnswer;
  /**
   * Malformed JSON that a known path does not even read, with whatever method; null lets it pass. Areas without this
   * member never look at such a body.
   */
  malformedBody?(request: FastifyRequest, fault: string): ErrorAnswer | null;
}

/** The name of an area, as used in logs, metrics and file names of `openapi/`. */
export type AreaName = 'verify' | 'status' | 'mirror';

/** What routes know of the listener that they are registered on. */
export interface ListenerOptions {
  /** Whether no other area answers there, so that this one has the root to itself. Absent: false. */
  readonly isOwnListener?: boolean;
}

/** One of the three public APIs, with its routes, its error body and its background work. */
export interface Area {
  readonly name: AreaName;
  readonly paths: AreaPaths;
  /** Registered as an encapsulated plugin: parsers and validators set in it stay in it. */
  readonly routes: FastifyPluginAsync<ListenerOptions>;
  /** Answers that need neither router nor hooks; absent where there are none. */
  readonly answerDirectly?: AnswerDirectly;
  readonly errors: ErrorMapper;
  /**
   * Begins background work (job dispatch, imports). Called after the server listens, and again where it failed for lack
   * of the database: it asks the database before it begins anything.
   */
  start(): Promise<void>;
  /** Ends background work and releases everything but the database. May be called twice. */
  close(): Promise<void>;
  /** Members that `GET /health/readiness` adds; `ready: false` answers 503. */
  readiness(): { readonly ready: boolean; readonly members: Readonly<Record<string, unknown>> };
}
