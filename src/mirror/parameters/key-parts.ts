import { printEntityId } from '../../values/entity-id.ts';
import { isAccountCondition } from './account-filter.ts';
import type { ValueCheck } from './check-parameters.ts';
import { parseEntityText } from './entity-id-text.ts';
import type { EntityNames } from './entity-in-path.ts';
import { parseFilter } from './filter-operator.ts';
import { tokenOfText } from './token-in-path.ts';
import type { KeyPart } from './two-part-key.ts';

/** A part of a key with the check of its values. */
export interface CheckedPart extends KeyPart {
  readonly check: ValueCheck;
}

/** An account by its id or EVM address. @see contracts/mirror-entities.md section 1.2 */
export function accountPart(
  parameter: string,
  { home, resolveAddress }: Pick<EntityNames, 'home' | 'resolveAddress'>,
): CheckedPart {
  return {
    parameter,
    check: isAccountCondition,
    read: (text) => {
      const entity = parseEntityText(text, home);
      if (entity.kind === 'id') return entity.id;
      return entity.kind === 'evm-address' ? resolveAddress(entity.hex) : null;
    },
    print: printEntityId,
  };
}

/** A token by its id, also as the long-zero address of its number. */
export function tokenPart(parameter: string, { home }: Pick<EntityNames, 'home'>): CheckedPart {
  const read = (text: string) => tokenOfText(text, home);
  return {
    parameter,
    check: (text) => {
      const filter = parseFilter(text);
      return filter !== null && read(filter.value) !== null;
    },
    read,
    print: printEntityId,
  };
}

/** The checks of parts by their names. */
export function partChecks(parts: readonly CheckedPart[]): Readonly<Record<string, ValueCheck>> {
  return Object.fromEntries(parts.map(({ check, parameter }) => [parameter, check]));
}
