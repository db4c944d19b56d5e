import { insertText, prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { AuditEntry } from '../model/changes.ts';
import type { Stretch } from '../model/stretches.ts';
import { AUDIT } from './status-rows.sql.ts';

/** What editors did, in SQLite. */
export function createAudit(sql: Sql) {
  const insert = sql.prepare(insertText('status_audit', AUDIT.columns));
  const select = prepareSelect(sql, AUDIT, 'FROM status_audit ORDER BY seq DESC LIMIT ? OFFSET ?');

  return {
    /** Called inside the transaction of the change. */
    *write(entry: AuditEntry): Work<void> {
      yield* insert.run(AUDIT.write(entry));
    },
    /** Calls of editors, newest first. */
    read: async ({ limit, offset }: Stretch): Promise<readonly AuditEntry[]> =>
      sql.read(() => select.all(limit, offset)),
  };
}
