/** One endpoint of a reference, as its own documents list it. */
export interface ReferenceEndpoint {
  /** One or several methods, such as `GET` or `GET POST`; `gRPC` is none that a route could have. */
  readonly methods: string;
  /** As the reference writes it; the names of parameters do not matter. */
  readonly path: string;
  /** Why it is not served. A route that exists all the same is an error: the table would deny it. */
  readonly absent?: string;
  /** What is missing although there is a route. */
  readonly partly?: string;
}

export interface ReferenceGroup {
  readonly name: string;
  /** What is missing, in a line; needed where something is. */
  readonly missing?: string;
  readonly endpoints: readonly ReferenceEndpoint[];
}

/** An API that others defined and this server speaks. */
export interface Reference {
  readonly name: string;
  /** Where the reference documents itself. */
  readonly documents: string;
  /** Of those documents, from which the list is. */
  readonly version: string;
  readonly groups: readonly ReferenceGroup[];
}

/** Shortens the lists: `GET /path`, and what is missing. */
export const served = (methods: string, path: string): ReferenceEndpoint => ({ methods, path });
export const absent = (methods: string, path: string, why: string): ReferenceEndpoint => ({
  methods,
  path,
  absent: why,
});
export const partly = (methods: string, path: string, why: string): ReferenceEndpoint => ({
  methods,
  path,
  partly: why,
});
