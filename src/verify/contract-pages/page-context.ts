import type { Site } from '../../pages/site/site-page.ts';
import type { ChainSettings } from '../chain/chain-config.ts';

/** What every page of this room is made with. */
export interface PageContext {
  readonly site: Site;
  readonly chains: readonly ChainSettings[];
}

/** The name of a chain for people. */
export function chainTitle({ chains }: PageContext, chainId: string): string {
  const chain = chains.find((each) => each.chainId === chainId);
  return chain === undefined ? `Chain ${chainId}` : (chain.title ?? chain.name);
}

/** Where the page of a contract lies. */
export function contractHref({ site }: PageContext, chainId: string, address: string): string {
  return `${site.root}/repo-ui/${chainId}/${address}`;
}

/** Where a contract is submitted, with chain and address filled in. */
export function submitHref({ site }: PageContext, chainId: string, address: string): string {
  return `${site.root}/verify-ui?chainId=${chainId}&address=${address}`;
}
