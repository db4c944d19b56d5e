import type { ComponentStatus } from '../rules/component-status.ts';

/** A range of time, UTC milliseconds; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A range in which no server ran. */
export type Downtime = Range;

/** A change of a component's public status; `at` in UTC milliseconds. */
export interface StatusChangeAt {
  readonly componentId: string;
  readonly to: ComponentStatus;
  readonly at: number;
}

/** A stretch of a list. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}
