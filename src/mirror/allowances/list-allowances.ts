import type { EntityNames } from '../parameters/entity-in-path.ts';
import type { PageSettings } from '../parameters/page-parameters.ts';
import type { AllowanceRepository } from './allowance-repository.ts';

/** What the three lists need. */
export interface ListAllowancesDependencies {
  readonly allowances: AllowanceRepository;
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

export interface AllowancesAnswer {
  readonly json: string;
  readonly next: string | null;
}
