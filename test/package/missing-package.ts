/** Why nothing is installed: it takes minutes, and `npm run test:package` alone asks for it. */
export const NOT_ASKED: string | null =
  process.env['PACKAGE'] === 'required' ? null : 'skipped: npm run test:package installs the package';
