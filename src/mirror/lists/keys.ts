import type { TSchema } from '@sinclair/typebox';
import { printEntityId } from '../../values/entity-id.ts';
import { invalidRequest } from '../errors.ts';
import { AccountFilter, TokenFilter } from '../list-schemas.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import type { ParameterValues, ValueCheck } from '../parameters/check-parameters.ts';
import { type EntityNames, entityOfText } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import {
  type FilterRule,
  type KeyPart,
  type PartConditions,
  readOrderedKeys,
  readTwoPartKey,
  type TwoPartConditions,
} from '../parameters/ordered-keys.ts';
import { orderedPage } from '../parameters/ordered-page.ts';
import type { Cut, CutPage, PageRequest } from '../parameters/page-parameters.ts';
import { tokenOfText } from '../parameters/token-in-path.ts';

/** The parameters by which a list is ordered, where it takes several to name a place in it. */
export interface Keys<Row, Conditions, Asked> {
  readonly parts: readonly CheckedParameter[];
  /** @throws MirrorApiError 400 for combinations that mean nothing. */
  readonly read: (values: ParameterValues, request: PageRequest) => Promise<Conditions>;
  readonly page: (found: readonly Row[], conditions: Conditions, cut: Cut, asked: Asked) => CutPage<Row>;
}

/** A parameter with its schema and the check of its values. */
export interface CheckedParameter {
  readonly parameter: string;
  readonly schema: TSchema;
  readonly check: ValueCheck;
}

type DescribedPart = KeyPart & CheckedParameter;

interface Named {
  readonly names: EntityNames;
}

/** A part once the names of the network are known. */
type PartOf = (names: EntityNames) => DescribedPart;

/** An account by its id or EVM address. @see contracts/mirror-entities.md section 1.2 */
export const accountPart =
  (parameter: string): PartOf =>
  (names) => ({
    parameter,
    schema: AccountFilter,
    check: isAccountCondition,
    read: (text) => entityOfText(text, names),
    print: printEntityId,
  });

/** A token by its id, also as the long-zero address of its number. */
export const tokenPart =
  (parameter: string, schema: TSchema = TokenFilter): PartOf =>
  ({ home }) => ({
    parameter,
    schema,
    check: (text) => tokenOfText(parseFilter(text)?.value ?? '', home) !== null,
    read: (text) => tokenOfText(text, home),
    print: printEntityId,
  });

/** A number. */
export const integerPart =
  (parameter: string, schema: TSchema, check: (text: string) => boolean): PartOf =>
  () => ({
    parameter,
    schema,
    check: (text) => check(parseFilter(text)?.value ?? ''),
    read: BigInt,
    print: String,
  });

/** A primary value, and a secondary one where the first is the same. @see contracts/mirror-entities.md section 1.4 */
export const twoPartKeys =
  <Row>(
    primary: PartOf,
    secondary: PartOf,
    of: (row: Row) => readonly [primary: bigint, secondary: bigint],
    rules: Readonly<Record<string, FilterRule>> = {},
  ) =>
  ({ names }: Named): Keys<Row, TwoPartConditions, unknown> => {
    const key = { primary: primary(names), secondary: secondary(names) };
    return {
      parts: [key.primary, key.secondary],
      read: (values) => readTwoPartKey(values, key, rules),
      page: (found, { primary, secondary }, cut) =>
        orderedPage({
          ...cut,
          found,
          parts: [key.primary, key.secondary],
          conditions: [primary, secondary],
          cursorOf: of,
        }),
    };
  };

/** Several values, compared part by part. @see contracts/mirror-entities.md section 1.5 */
export const orderedKeys =
  <Row, Asked = unknown>(
    partsOf: readonly PartOf[],
    of: (row: Row, asked: Asked) => readonly bigint[],
    refuse: (conditions: readonly PartConditions[]) => string | null,
  ) =>
  ({ names }: Named): Keys<Row, readonly PartConditions[], Asked> => {
    const parts = partsOf.map((part) => part(names));
    return {
      parts,
      async read(values) {
        const conditions = await readOrderedKeys(values, parts);
        const refusal = refuse(conditions);
        if (refusal !== null) throw invalidRequest([refusal]);
        return conditions;
      },
      page: (found, conditions, cut, asked) =>
        orderedPage({ ...cut, found, parts, conditions, cursorOf: (row) => of(row, asked) }),
    };
  };
