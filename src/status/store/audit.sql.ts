import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { AuditEntry } from '../model/changes.ts';
import type { Stretch } from '../model/stretches.ts';
import type { Input } from '../rules/input-members.ts';

interface AuditRow {
  readonly at: number;
  readonly actor: string;
  readonly call: string;
  readonly subject_id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What editors did, in SQLite. */
export function createAudit(sql: Sql) {
  const insert = sql.prepare(
    `INSERT INTO status_audit (at, actor, call, subject_id, before, after)
     VALUES (@at, @actor, @call, @subjectId, @before, @after)`,
  );
  const select = sql.prepare<unknown[], AuditRow>(
    `SELECT at, actor, call, subject_id, before, after FROM status_audit ORDER BY seq DESC LIMIT ? OFFSET ?`,
  );

  return {
    /** Called inside the transaction of the change. */
    *write(entry: AuditEntry): Work<void> {
      const [before, after] = [entry.before, entry.after].map((side) => side && JSON.stringify(side));
      yield* insert.run({ ...entry, before, after });
    },
    async read({ limit, offset }: Stretch): Promise<readonly AuditEntry[]> {
      return sql.read(function* () {
        return (yield* select.all(limit, offset)).map((row) => ({
          at: row.at,
          actor: row.actor,
          call: row.call,
          subjectId: row.subject_id,
          before: objectOf(row.before),
          after: objectOf(row.after),
        }));
      });
    },
  };
}

function objectOf(text: string | null): Input | null {
  return text === null ? null : (JSON.parse(text) as Input);
}
