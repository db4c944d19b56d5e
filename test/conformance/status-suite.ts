import type { CaseFile } from './case-files.ts';
import { CaseSkipped, type Report } from './report.ts';

interface StatusCase {
  readonly steps?: readonly unknown[];
  readonly cases?: readonly unknown[];
}

export function isStatusFile(file: CaseFile): boolean {
  const { steps, cases } = file.content as StatusCase;
  return steps !== undefined || cases !== undefined;
}

/** Scenarios are calls of the management API, which is not served yet; every one is listed with that reason. */
export async function runStatusFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  await report.run(folder, file.name, async () => {
    throw new CaseSkipped(
      'needs the management API, the monitor or the uptime figures; scenarios 01 to 13 run against the services in src/status',
    );
  });
}
