import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { accountInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import type { Hook, HookRepository } from './hook-repository.ts';

export interface HookDependencies {
  readonly hooks: HookRepository;
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const HOOK_ID = /^\d{1,19}$/;

/**
 * Answers `GET /api/v1/accounts/{id}/hooks`; the account need not have any.
 *
 * @throws MirrorApiError 400 for another form of the account or bad parameters, 404 for an unknown address or alias.
 * @see contracts/mirror-entities.md section 10
 */
export async function listHooks(
  account: string,
  target: string,
  { hooks, maxRepeated, names, page }: HookDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const owner = await accountInPath(account, names);
  const checks = {
    ...pageChecks(page),
    'hook.id': (text: string) => isHookId(parseFilter(text)?.value ?? ''),
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const selection = selectIntegers(
    (values.get('hook.id') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  // One more tells whether a page follows.
  const found = await hooks.page({ ...selection, owner, order: request.order, limit: request.limit + 1 });
  const { next, shown } = cursorPage({
    cursor: { parameter: 'hook.id', of: ({ hookId }) => hookId, print: String, selection },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ hooks: shown.map(hookDocument), links: { next } }), next };
}

/** From 0 to the greatest int64. */
export function isHookId(text: string): boolean {
  return HOOK_ID.test(text) && BigInt(text) <= MAX_INT64;
}

function hookDocument(hook: Hook): ExactJson {
  const adminKey = keyJson(hook.adminKey);
  return {
    admin_key: adminKey === null ? null : { ...adminKey },
    contract_id: printIdOrNull(hook.contract),
    created_timestamp: hook.createdTimestamp === null ? null : printTimestamp(hook.createdTimestamp),
    deleted: hook.isDeleted,
    // The ledger knows no other.
    extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
    hook_id: hook.hookId,
    owner_id: printEntityId(hook.owner),
    timestamp_range: { from: printTimestamp(hook.changedTimestamp), to: null },
    type: 'EVM',
  };
}
