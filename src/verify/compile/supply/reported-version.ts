import type { CompilerLanguage } from '../compiler-catalog.ts';
import { readReportedVersion } from '../compiler-version.ts';

/** What a compiler says about itself, cut to the version where its form is known. */
export type ReportedVersion = string;

const LONGEST_SHOWN = 100;

/**
 * Finds the version in what a compiler prints about itself.
 *
 * @example `Version: 0.8.30+commit.73712a01.Linux.g++` → `0.8.30+commit.73712a01`; `fe 26.0.0` → `26.0.0`
 */
export function readPrintedVersion(language: CompilerLanguage, printed: string): ReportedVersion {
  const begin = printed.search(/\d+\.\d+\.\d+/);
  const text = begin < 0 ? printed.trim() : printed.slice(begin);
  const version = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]*/.exec(text)?.[0] ?? text.slice(0, LONGEST_SHOWN);
  return language === 'solc' ? (readReportedVersion(text) ?? version) : version;
}

/** Vyper prints as many digits of the commit as were needed when it was built, releases have eight. */
const FEWEST_COMMIT_DIGITS = 7;

/** True when a compiler that reports `reported` may stand for `version`; a version without commit means any. */
export function isSameVersion(reported: ReportedVersion, version: string): boolean {
  const [release, commit] = version.split('+commit.');
  const [reportedRelease, reportedCommit] = reported.split('+commit.');
  if (release !== reportedRelease) return false;
  if (commit === undefined || reportedCommit === undefined || commit === reportedCommit) return true;
  const digits = Math.min(commit.length, reportedCommit.length);
  return digits >= FEWEST_COMMIT_DIGITS && commit.slice(0, digits) === reportedCommit.slice(0, digits);
}
