import { type Html, html } from '../../pages/html.ts';
import { renderSitePage } from '../../pages/site/site-page.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import type { CompiledContract, SourceFile } from '../contracts/contract-repository.ts';
import { overallMatch } from '../match/compiled-code.ts';
import type { PrintedSource } from './colour/source-colours.ts';
import { abiEntries } from './model/abi-entries.ts';
import { remixLink } from './model/remix-link.ts';
import { chainTitle, contractHref, type PageContext } from './page-context.ts';
import { CONTRACTS_SHEET, LATER_SCRIPT } from './pages-assets.ts';
import { renderAbi } from './views/abi-view.ts';
import { renderCodes } from './views/code-view.ts';
import { printedTime } from './views/contract-list.ts';
import { gradeClass, gradeMark, gradeMeaning, sideMeaning } from './views/grade-words.ts';
import { renderConstructorArguments, renderTransformations } from './views/match-view.ts';
import { type PageSection, renderBlock, renderFacts, renderSections } from './views/sections.ts';
import { renderSources } from './views/source-view.ts';
import { renderStorage } from './views/storage-view.ts';
import { plainText, visibleText } from './visible-text.ts';

const LONGEST_SETTINGS = 65_536;

/** Everything that the page of a verified contract shows. */
interface ContractPageContent {
  readonly contract: CompiledContract;
  readonly files: readonly SourceFile[];
  /** The file that is shown; null when none is stored. */
  readonly shown: { readonly path: string; readonly content: string; readonly printed: PrintedSource } | null;
}

/** The page of a verified contract. */
export function renderContractPage(context: PageContext, content: ContractPageContent): string {
  const { match, compilation } = content.contract;
  const address = checksumAddress(match.address);
  const base = contractHref(context, match.chainId, address);
  const name = compilation.name || '(no name)';
  return renderSitePage(context.site, {
    title: `${plainText(name)} at ${address}`,
    section: 'verify',
    sheets: [CONTRACTS_SHEET],
    scripts: [LATER_SCRIPT],
    main: html`<h1>${visibleText(name)}</h1>
<p class="muted"><code>${address}</code> on ${visibleText(chainTitle(context, match.chainId))} (chain ${match.chainId})</p>
${renderVerdict(content.contract)}
${renderHead(content.contract)}
${renderDownloads(base, content)}
${renderSections(sectionsOf(base, content))}`,
  });
}

function renderVerdict({ match }: CompiledContract): Html | null {
  const grade = overallMatch(match.creation, match.runtime);
  if (grade === null) return null;
  return html`<div class="banner ${gradeClass(grade)}"><p>${gradeMark(grade)} ${gradeMeaning(grade)}</p>
<ul class="plain small">
<li>${gradeMark(match.runtime)} Runtime: ${sideMeaning('runtime', match.runtime)}</li>
<li>${gradeMark(match.creation)} Creation: ${sideMeaning('creation', match.creation)}</li>
</ul></div>`;
}

function renderHead({ match, compilation, deployment }: CompiledContract): Html {
  const { compiler, compilerVersion, language, fullyQualifiedName } = compilation;
  const time = printApiTime(match.verifiedAt);
  const { deployer, transactionHash, blockNumber } = deployment;
  return renderFacts([
    ['Contract', html`<code>${visibleText(fullyQualifiedName)}</code>`],
    ['Language', language],
    ['Compiler', `${compiler} ${compilerVersion}`],
    ['Verified at', html`<time datetime="${time}">${printedTime(time)}</time>`],
    ['Deployer', deployer === null ? null : html`<code>${checksumAddress(deployer)}</code>`],
    ['Transaction', transactionHash === null ? null : html`<code>${transactionHash}</code>`],
    ['Block', blockNumber === null ? null : String(blockNumber)],
  ]);
}

function renderDownloads(base: string, { contract }: ContractPageContent): Html {
  const { chainId, address } = contract.match;
  const api = `${base.slice(0, base.indexOf('/repo-ui/'))}/v2/contract/${chainId}/${checksumAddress(address)}?fields=all`;
  return html`<p class="links downloads"><a class="button" href="${base}/sources.zip">Download as zip</a>
<a href="${base}/standard-input.json">Standard JSON input</a>
${
  contract.metadata === null
    ? null
    : html`<a href="${base}/metadata.json">Metadata</a>
`
}<a href="${api}">API response</a></p>`;
}

function sectionsOf(base: string, { contract, files, shown }: ContractPageContent): readonly PageSection[] {
  const { artifacts, compilation } = contract;
  const natSpec = { userdoc: artifacts['userdoc'], devdoc: artifacts['devdoc'] };
  const abi = renderAbi(abiEntries(artifacts['abi'], natSpec, compilation.isLibrary));
  const settings = JSON.stringify(compilation.settings, null, 2);
  const transient = renderStorage(artifacts['transientStorageLayout'], 'Transient storage layout');
  const all: readonly (readonly [string, string, Html | null])[] = [
    ['sources', 'Sources', shown === null ? null : sourcesPart(base, contract, files, shown)],
    ['abi', 'ABI', abi],
    ['storage', 'Storage layout', renderStorage(artifacts['storageLayout'], 'Storage layout')],
    ['transient-storage', 'Transient storage layout', transient],
    ['arguments', 'Constructor arguments', renderConstructorArguments(contract)],
    ['proxy', 'Proxy', renderLater(`${base}/proxy`, 'Check whether this contract is a proxy')],
    ['similar', 'Similar contracts', renderLater(`${base}/similar`, 'Verified contracts with the same code')],
    ['comparison', 'Comparison', renderTransformations(contract)],
    [
      'settings',
      'Compiler settings',
      renderBlock('Compiler settings', visibleText(cut(settings, LONGEST_SETTINGS))),
    ],
    ['code', 'Bytecode', renderCodes(contract)],
  ];
  return all.flatMap(([id, title, content]) => (content === null ? [] : [{ id, title, content }]));
}

function sourcesPart(
  base: string,
  { compilation }: CompiledContract,
  files: readonly SourceFile[],
  shown: NonNullable<ContractPageContent['shown']>,
): Html {
  const paths = files.map(({ path }) => path);
  return renderSources({ base, paths, shown, remixHref: remixLink(shown.content, compilation) });
}

/** What has to look further than at the stored contract is fetched once the page is there. */
function renderLater(href: string, text: string): Html {
  return html`<div data-later="${href}" aria-live="polite"><p><a href="${href}">${text}</a></p></div>`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n…`;
}
