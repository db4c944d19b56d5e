/**
 * Null when a client program is installed, otherwise the reason that a skipped test prints.
 *
 * @throws Error when the program is missing though `CLIENTS=required` says that it has just been installed.
 */
export function missingProgram(name: string, isInstalled: boolean): string | null {
  if (isInstalled) return null;
  const reason = `skipped: ${name} is not installed, "npm run test:clients" does it`;
  if (process.env['CLIENTS'] === 'required') throw new Error(reason);
  return reason;
}
