/** Compilations whose ABIs are asked which arguments of one event are indexed. */
export const COMPILATIONS_OF_A_TOPIC = 4;

/** A compilation, which never changes, and the bytes of its artifacts. */
export interface SizedCompilation {
  readonly compilationId: bigint;
  readonly bytes: number;
}
