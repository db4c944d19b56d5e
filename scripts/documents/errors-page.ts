import { messages as MIRROR_MESSAGES, REASONS as MIRROR_REASONS } from '../../src/mirror/errors.ts';
import { TEXTS as STATUS_TEXTS } from '../../src/status/error-mapper.ts';
import { NOT_FOUND_TEXTS } from '../../src/status/errors.ts';
import { STATUS_OF_CODE } from '../../src/verify/errors.ts';
import { INGEST_REMEDIES, JOB_REMEDIES, REQUEST_REMEDIES } from './error-remedies.ts';
import { generatedPage, table } from './tables.ts';

/** `docs/errors.md`: every code and text that the areas answer, from their own tables. */
export function errorsPage(): string {
  return generatedPage('Errors', [
    'Each area returns errors in the form that its clients parse. A message names the parameter and the allowed values; the codes and texts below do not change within a version. Every response carries an `x-request-id`, which also appears in the log.',
    verifyRequests(),
    verifyJobs(),
    statusErrors(),
    mirrorErrors(),
    ingestErrors(),
  ]);
}

function verifyRequests(): string {
  const rows = Object.entries(STATUS_OF_CODE).map(([code, status]) => [
    `\`${code}\``,
    String(status),
    REQUEST_REMEDIES[code as keyof typeof REQUEST_REMEDIES],
  ]);
  return `## Contract verification: requests\n\n\`{"customCode", "message", "errorId"}\`. \`errorId\` is in the log.\n\n${table(['customCode', 'Status', 'What to do'], rows)}`;
}

function verifyJobs(): string {
  const rows = Object.entries(JOB_REMEDIES).map(([code, remedy]) => [`\`${code}\``, remedy]);
  return `## Contract verification: jobs\n\nA job that finishes without a match has \`error\` with one of these as \`customCode\`, and \`errorData\` with the details.\n\n${table(['customCode', 'What to do'], rows)}`;
}

function statusErrors(): string {
  const texts = Object.entries(STATUS_TEXTS).map(([status, text]) => [status, text]);
  const unknown = Object.values(NOT_FOUND_TEXTS).map((text) => ['404', text]);
  const refused = ['422', "A list of what is wrong with the members, such as `Name can't be blank`"];
  const rows = [...texts, ...unknown, refused, ['500', 'Internal server error']].filter(
    (row, index, all) => all.findIndex((other) => other.join() === row.join()) === index,
  );
  rows.sort(([a = ''], [b = '']) => Number(a) - Number(b));
  return `## Status page\n\n\`{"error"}\`, and for the management API \`{"error", "message"}\`.\n\n${table(['Status', 'Text'], rows)}`;
}

function mirrorErrors(): string {
  const shown = [
    MIRROR_MESSAGES.invalidParameter('NAME'),
    MIRROR_MESSAGES.unknownParameter('NAME'),
    MIRROR_MESSAGES.tooManyValues('NAME', 101, 100),
    MIRROR_MESSAGES.invalidEntityId('TEXT'),
  ];
  const rows = [
    ...shown.map((text) => ['400', text]),
    ...Object.entries(MIRROR_REASONS).map(([status, text]) => [status, text]),
  ];
  return `## Ledger mirror\n\n\`{"_status": {"messages": [{"message", "detail"}]}}\`, one message per error.\n\n${table(['Status', 'Message'], rows)}`;
}

function ingestErrors(): string {
  const rows = Object.entries(INGEST_REMEDIES).map(([code, remedy]) => [`\`${code}\``, remedy]);
  return `## Import of a ledger\n\nThe reason why a unit was rejected appears in the log, in \`ingest\` of \`GET /health/readiness\`, and as \`reason\` of \`ledgerlens_ingest_rejections_total\`.\n\n${table(['Code', 'What to do'], rows)}`;
}
