import { spawnSync } from 'node:child_process';
import { IS_FULL } from './attack-seconds.ts';

/**
 * Gives a process precedence over all others where that is allowed: attackers live on other machines, here they must not
 * take the processor from the server that they attack. Threads that it starts later, such as compilers, have none.
 *
 * Niceness would not do: the scheduler may weigh whole sessions.
 */
export function takePrecedence(pid: number | undefined): void {
  if (!IS_FULL) return;
  // Where there is no such program or no such right, the bare server beside it shows what that costs.
  spawnSync('chrt', ['--all-tasks', '--reset-on-fork', '--rr', '--pid', '1', String(pid)]);
}
