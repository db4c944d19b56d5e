import { type EncodedDocument, encodeText } from '../../pages/encoded-document.ts';
import type { Site } from '../../pages/site/site-page.ts';
import { timeLimit } from '../../values/time-limit.ts';
import type { ChainSettings } from '../chain/chain-config.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable-error.ts';
import type { ContractRepository, NamedMatch } from '../contracts/contract-repository.ts';
import { lookupTag } from '../contracts/lookup-tag.ts';
import { resolveStoredProxy } from '../contracts/resolve-stored-proxy.ts';
import type { ScanTurns } from '../contracts/scan-turns.ts';
import type { BuildInformation } from '../information-routes.ts';
import type { ProxyResolver } from '../proxy/proxy-resolver.ts';
import type { CandidateRepository } from '../similarity/candidate-repository.ts';
import type { VerifyService } from '../verify-service.ts';
import { ByteBoundMap } from './colour/byte-bound-map.ts';
import { languageOf } from './colour/language-of.ts';
import type { SourceColours } from './colour/source-colours.ts';
import { renderContractPage } from './contract-page.ts';
import { renderPart, renderRecent, renderSimilar } from './other-pages.ts';
import type { PageContext } from './page-context.ts';
import { PageProblem, type Place } from './read-place.ts';
import { renderProxy } from './views/proxy-view.ts';

/** What the pages are made from. */
export interface ContractPagesParts {
  readonly site: Site;
  readonly chains: readonly ChainSettings[];
  readonly service: VerifyService;
  readonly contracts: ContractRepository;
  readonly candidates: CandidateRepository;
  readonly proxies: ProxyResolver;
  readonly scanTurns: ScanTurns;
  readonly colours: SourceColours;
  readonly build: BuildInformation;
}

const KEPT_BYTES = 16 * 1024 * 1024;
const MOST_SIMILAR = 20;
const PER_PAGE = 25;
const CHAIN_TIMEOUT_MS = 3_000;

/** Pages about verified contracts. */
export class ContractPages {
  readonly context: PageContext;
  readonly #parts: ContractPagesParts;
  /** By what is verified and the file that is shown; a better verification has another key. */
  readonly #kept = new ByteBoundMap<EncodedDocument>(KEPT_BYTES);

  constructor(parts: ContractPagesParts) {
    this.#parts = parts;
    this.context = { site: parts.site, chains: parts.chains };
  }

  /**
   * The page of a contract; null when it is not verified.
   *
   * @param file path of the file to show; null for the one with the contract.
   * @throws PageProblem when there is no such file.
   */
  async contract({ chainId, address }: Place, file: string | null): Promise<EncodedDocument | null> {
    const { contracts, build } = this.#parts;
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
    const { contracts, colours } = this.#parts;
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
      return encode(renderContractPage(this.context, { contract, files, shown: null }));
    }
    const printed = await colours.print(content, languageOf(path, language));
    const shown = { path, content, printed };
    const page = encode(renderContractPage(this.context, { contract, files, shown }));
    if (printed.isFinal) this.#kept.set(key, page, page.plain.ready?.length ?? 0);
    return page;
  }

  /** Whether a contract is a proxy; null when it is not verified. */
  async proxy({ chainId, address, checksummed }: Place): Promise<string | null> {
    const contract = await this.#parts.contracts.findCompiled(chainId, address);
    if (contract === null) return null;
    const content = renderProxy(this.context, chainId, await resolveStoredProxy(this.#parts, contract));
    return renderPart(this.context, { title: 'Proxy', chainId, address: checksummed, content });
  }

  /** Contracts with the same code. */
  async similar(place: Place): Promise<string> {
    const { chainId, address, checksummed } = place;
    const { contracts } = this.#parts;
    const isVerified = (await contracts.findMatch(chainId, address)) !== null;
    const matches = isVerified
      ? await contracts.listSimilar(chainId, address, MOST_SIMILAR)
      : await this.#similarToCode(place);
    const content = renderSimilar(this.context, matches, isVerified);
    return renderPart(this.context, { title: 'Similar contracts', chainId, address: checksummed, content });
  }

  /** Null when the chain did not tell the code. */
  async #similarToCode({ chain, address }: Place): Promise<readonly NamedMatch[] | null> {
    const { contracts, candidates, scanTurns } = this.#parts;
    const limit = timeLimit(CHAIN_TIMEOUT_MS);
    const code = await chain.source.runtimeCode(address, limit).catch((error: unknown) => {
      if (limit.aborted || error instanceof ChainUnavailableError) return null;
      throw error;
    });
    if (code === null || code.length === 0) return code === null ? null : [];
    return scanTurns.run(async ({ turn }) => {
      await turn();
      return contracts.listOfCompilations(await candidates.find(code, MOST_SIMILAR), MOST_SIMILAR);
    });
  }

  /** The newest verifications of one chain or all. */
  async recent(chainId: string | null, beforeMatchId: bigint | null): Promise<string> {
    const window = { chainId, limit: PER_PAGE + 1, beforeMatchId };
    const matches = await this.#parts.contracts.listRecent(window);
    return renderRecent(this.context, {
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
