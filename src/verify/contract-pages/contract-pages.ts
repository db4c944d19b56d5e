import { type EncodedDocument, encodeText } from '../../pages/encoded-document.ts';
import { type Html, html } from '../../pages/html.ts';
import { renderSitePage } from '../../pages/site/site-page.ts';
import { timeLimit } from '../../values/time-limit.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import { ByteBoundMap } from '../byte-bound-map.ts';
import { ChainUnavailableError } from '../chain/contract-code-source.ts';
import type { CompiledContract, NamedMatch, SourceFile } from '../contracts/contract-repository.sql.ts';
import { resolveStoredProxy } from '../contracts/look-up-contract.ts';
import { lookupTag } from '../contracts/lookup-tag.ts';
import { overallMatch } from '../match/compiled-code.ts';
import type { VerifyContext } from '../verify-context.ts';
import { ENTRY_BYTES, languageOf, type PrintedSource, type SourceColours } from './colour/source-colours.ts';
import { renderPart, renderRecent, renderSimilar } from './other-pages.ts';
import { chainTitle, contractHref, type PageContext } from './page-context.ts';
import { CONTRACTS_SHEET, LATER_SCRIPT } from './pages-assets.ts';
import { PageProblem, type Place } from './read-place.ts';
import { renderAbi } from './views/abi-view.ts';
import { gradeClass, gradeMark, gradeMeaning, printedTime, sideMeaning } from './views/contract-list.ts';
import { renderCodes, renderConstructorArguments, renderTransformations } from './views/match-view.ts';
import { renderProxy } from './views/proxy-view.ts';
import { type PageSection, renderBlock, renderFacts, renderSections } from './views/sections.ts';
import { remixLink, renderSources } from './views/source-view.ts';
import { renderStorage } from './views/storage-view.ts';
import { plainText, visibleText } from './visible-text.ts';

const KEPT_BYTES = 16 * 1024 * 1024;
const MAX_SIMILAR = 20;
const PER_PAGE = 25;
const CHAIN_TIMEOUT_MS = 3_000;

/** Pages about verified contracts. */
export class ContractPages {
  readonly #context: VerifyContext;
  readonly #colours: SourceColours;
  /** By what is verified and the file that is shown; a better verification has another key. */
  readonly #kept = new ByteBoundMap<string, EncodedDocument>(KEPT_BYTES, ENTRY_BYTES);

  constructor(context: VerifyContext, colours: SourceColours) {
    this.#context = context;
    this.#colours = colours;
  }

  /**
   * The page of a contract; null when it is not verified.
   *
   * @param file path of the file to show; null for the one with the contract.
   * @throws PageProblem when there is no such file.
   */
  async contract({ chainId, address }: Place, file: string | null): Promise<EncodedDocument | null> {
    const { contracts, build } = this.#context;
    const match = await contracts.findMatch(chainId, address);
    if (match === null) return null;
    const key = JSON.stringify([lookupTag([match], build.version), chainId, address, file]);
    return this.#kept.get(key) ?? this.#build(key, { chainId, address }, file);
  }

  async #build(
    key: string,
    { chainId, address }: Pick<Place, 'chainId' | 'address'>,
    file: string | null,
  ): Promise<EncodedDocument | null> {
    const { contracts } = this.#context;
    const contract = await contracts.findCompiled(chainId, address);
    if (contract === null) return null;
    const files = await contracts.listSources(chainId, address);
    const { language, name, fullyQualifiedName } = contract.compilation;
    const target = fullyQualifiedName.slice(0, -(name.length + 1));
    const path = file ?? files.find((each) => each.path === target)?.path ?? files[0]?.path ?? null;
    const content = path === null ? null : await contracts.findSource(chainId, address, path);
    if (content === null && file !== null) {
      throw new PageProblem(404, 'No such file', 'The contract was compiled without a file of this path.');
    }
    if (path === null || content === null) {
      return encode(renderContractPage(this.#context, { contract, files, shown: null }));
    }
    const printed = await this.#colours.print(content, languageOf(path, language));
    const shown = { path, content, printed };
    const page = encode(renderContractPage(this.#context, { contract, files, shown }));
    if (printed.isFinal) this.#kept.set(key, page, page.plain.ready?.length ?? 0);
    return page;
  }

  /** Whether a contract is a proxy; null when it is not verified. */
  async proxy({ chainId, address, checksummed }: Place): Promise<string | null> {
    const contract = await this.#context.contracts.findCompiled(chainId, address);
    if (contract === null) return null;
    const content = renderProxy(this.#context, chainId, await resolveStoredProxy(this.#context, contract));
    return renderPart(this.#context, { title: 'Proxy', chainId, address: checksummed, content });
  }

  /** Contracts with the same code. */
  async similar(place: Place): Promise<string> {
    const { chainId, address, checksummed } = place;
    const { contracts } = this.#context;
    const isVerified = (await contracts.findMatch(chainId, address)) !== null;
    const matches = isVerified
      ? await contracts.listSimilar(chainId, address, MAX_SIMILAR)
      : await this.#similarToCode(place);
    const content = renderSimilar(this.#context, matches, isVerified);
    return renderPart(this.#context, { title: 'Similar contracts', chainId, address: checksummed, content });
  }

  /** Null when the chain did not tell the code. */
  async #similarToCode({ chain, address }: Place): Promise<readonly NamedMatch[] | null> {
    const { contracts, candidates, scanTurns } = this.#context;
    const { signal: limit } = timeLimit(CHAIN_TIMEOUT_MS);
    const code = await chain.source.runtimeCode(address, limit).catch((error: unknown) => {
      if (limit.aborted || error instanceof ChainUnavailableError) return null;
      throw error;
    });
    if (code === null || code.length === 0) return code === null ? null : [];
    return scanTurns.run(async ({ turn }) => {
      await turn();
      return contracts.listOfCompilations(await candidates.find(code, MAX_SIMILAR), MAX_SIMILAR);
    });
  }

  /** The newest verifications of one chain or all. */
  async recent(chainId: string | null, beforeMatchId: bigint | null): Promise<string> {
    const window = { chainId, limit: PER_PAGE + 1, beforeMatchId };
    const matches = await this.#context.contracts.listRecent(window);
    return renderRecent(this.#context, {
      chainId,
      matches: matches.slice(0, PER_PAGE),
      isFirst: beforeMatchId === null,
      hasMore: matches.length > PER_PAGE,
    });
  }
}

function encode(page: string): EncodedDocument {
  return encodeText(page, new Date(0).toUTCString());
}

const MAX_SETTINGS_LENGTH = 65_536;

/** Everything that the page of a verified contract shows. */
interface ContractPageContent {
  readonly contract: CompiledContract;
  readonly files: readonly SourceFile[];
  /** The file that is shown; null when none is stored. */
  readonly shown: { readonly path: string; readonly content: string; readonly printed: PrintedSource } | null;
}

/** The page of a verified contract. */
function renderContractPage(context: PageContext, content: ContractPageContent): string {
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
  const natSpec = { userdoc: artifacts.value('userdoc'), devdoc: artifacts.value('devdoc') };
  const abi = renderAbi(artifacts.value('abi'), natSpec, compilation.isLibrary);
  const settings = JSON.stringify(compilation.settings, null, 2);
  const transient = renderStorage(artifacts.value('transientStorageLayout'), 'Transient storage layout');
  const all: readonly (readonly [string, string, Html | null])[] = [
    ['sources', 'Sources', shown === null ? null : sourcesPart(base, contract, files, shown)],
    ['abi', 'ABI', abi],
    ['storage', 'Storage layout', renderStorage(artifacts.value('storageLayout'), 'Storage layout')],
    ['transient-storage', 'Transient storage layout', transient],
    ['arguments', 'Constructor arguments', renderConstructorArguments(contract)],
    ['proxy', 'Proxy', renderLater(`${base}/proxy`, 'Check whether this contract is a proxy')],
    ['similar', 'Similar contracts', renderLater(`${base}/similar`, 'Verified contracts with the same code')],
    ['comparison', 'Comparison', renderTransformations(contract)],
    [
      'settings',
      'Compiler settings',
      renderBlock('Compiler settings', visibleText(cut(settings, MAX_SETTINGS_LENGTH))),
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
