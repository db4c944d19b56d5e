import { askMirror, askStated, askWallet } from './mirror-answers.ts';
import { type RecordedAnswer, startRecordingServer } from './recording-server.ts';
import { askStatus, STATUS_ENVIRONMENT } from './status-answers.ts';
import { askVerify, VERIFY_SETTINGS } from './verify-answers.ts';

/** Real answers of every operation, good and bad, of one server that has something of everything. */
export async function collectAnswers(): Promise<readonly RecordedAnswer[]> {
  const env = { ...VERIFY_SETTINGS.env, ...STATUS_ENVIRONMENT };
  const servers = await Promise.all([
    startRecordingServer({ ...VERIFY_SETTINGS, env }),
    startRecordingServer({}),
    startRecordingServer({}),
  ]);
  const [all, wallet, stated] = servers;
  try {
    await askStatus(all);
    await askMirror(all);
    await askVerify(all);
    await askWallet(wallet);
    await askStated(stated);
    return servers.flatMap(({ answers }) => answers);
  } finally {
    for (const { server } of servers) await server.close();
  }
}
