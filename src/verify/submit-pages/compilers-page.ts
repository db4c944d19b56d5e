import { html } from '../../pages/html.ts';
import { renderSitePage, type Site } from '../../pages/site/site-page.ts';
import { evmVersionsOf } from '../compile/evm-versions.ts';
import type { Availability, StockedCompiler } from '../compile/supply/compiler-stock.ts';
import { SUBMIT_SHEET } from './submit-assets.ts';

const NAMES = { solc: 'Solidity', vyper: 'Vyper', fe: 'Fe' } as const;
const READY: Readonly<Record<Availability, string>> = {
  bundled: 'here',
  folder: 'here',
  kept: 'here',
  fetchable: 'downloaded when needed',
};

/** `GET /verify-ui/compilers`: what verifications can be compiled with. */
export function renderCompilersPage(site: Site, compilers: readonly StockedCompiler[]): string {
  const languages = (['solc', 'vyper', 'fe'] as const).map((language) => ({
    language,
    own: compilers.filter((compiler) => compiler.language === language),
  }));
  return renderSitePage(site, {
    title: 'Compilers',
    section: 'verify',
    sheets: [SUBMIT_SHEET],
    main: html`<h1>Compilers</h1>
<p>Compilers available for verification. The operator of this server can add missing versions.
<a href="${site.root}/verify-ui">Verify a contract</a></p>
${languages.map(
  ({ language, own }) => html`<h2>${NAMES[language]}</h2>
${
  own.length === 0
    ? html`<p class="muted">None. Contracts in ${NAMES[language]} cannot be verified here.</p>`
    : html`<div class="wide-table" tabindex="0" role="region" aria-label="Compilers of ${NAMES[language]}"><table class="data compilers">
<thead><tr><th scope="col">Version</th><th scope="col">Kind</th><th scope="col">Ready</th><th scope="col">From</th><th scope="col">EVM versions</th></tr></thead>
<tbody>${own.map(
        ({ version, kind, availability, from }) =>
          html`<tr><th scope="row" class="code">${version}</th><td>${kind === 'wasm' ? 'WebAssembly' : 'executable'}</td><td>${READY[availability]}</td><td>${from}</td><td>${range(evmVersionsOf(language, version))}</td></tr>
`,
      )}</tbody></table></div>`
}
`,
)}
<p class="small muted">API request: <a class="code" href="${site.root}/v2/compilers">GET ${site.root}/v2/compilers</a></p>`,
  });
}

/** Each compiler takes all versions from the first to its newest. */
function range(versions: readonly string[] | null): string {
  if (versions === null) return '—';
  return `${versions[0]} to ${versions.at(-1)}`;
}
