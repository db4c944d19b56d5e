import { VARIABLES } from '../../src/config-variables.ts';
import { generatedPage, table } from './tables.ts';

const AREAS: readonly { readonly title: string; readonly prefix: RegExp }[] = [
  { title: 'Server', prefix: /^(?!VERIFY_|STATUS_|MIRROR_)/ },
  { title: 'Contract verification', prefix: /^VERIFY_/ },
  { title: 'Status page', prefix: /^STATUS_/ },
  { title: 'Ledger mirror', prefix: /^MIRROR_/ },
];

/** `docs/configuration.md`: every environment variable, from `src/config-variables.ts`. */
export function configurationPage(): string {
  const variables = Object.entries(VARIABLES);
  const sections = AREAS.map(({ title, prefix }) => {
    const rows = variables.filter(([name]) => prefix.test(name)).map(([name, form]) => rowOf(name, form));
    return `## ${title}\n\n${table(['Variable', 'Default', 'Meaning'], rows)}`;
  });
  return generatedPage('Configuration', [
    'Configuration uses environment variables only, all of which have defaults. An unknown name that begins with `VERIFY_`, `STATUS_` or `MIRROR_`, or an invalid value, prevents startup with a list of all errors. A value of these three areas may be read from a file named by `NAME_FILE`, for example a mounted secret.',
    ...sections,
  ]);
}

function rowOf(name: string, form: (typeof VARIABLES)[string]) {
  const value = form.default === '' ? '' : `\`${form.default}\``;
  const range =
    form.type === 'integer'
      ? ` ${form.minimum} to ${form.maximum}.`
      : form.enum !== undefined
        ? ` One of ${form.enum.map((each) => `\`${each}\``).join(', ')}.`
        : '';
  return [`\`${name}\``, value, `${form.description}${range}`];
}
