import { provesSources } from './auxdata/auxdata.ts';
import type { AuxdataPositions, CompilerIdentity, MatchGrade } from './compiled-code.ts';

/**
 * Grades code that is equal without any change of auxdata.
 *
 * Equal bytes prove the sources only when every auxdata in them carries a hash of the sources.
 *
 * @see contracts/verification-engine.md section 7.2
 */
export function gradeEqualCode(auxdata: AuxdataPositions, compiler: CompilerIdentity): MatchGrade {
  const entries = Object.values(auxdata);
  const isProven = entries.length > 0 && entries.every(({ value }) => provesSources(value, compiler));
  return isProven ? 'exact_match' : 'match';
}
