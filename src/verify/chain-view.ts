import type { ChainSettings } from './chain/chain-config.ts';

/** Networks of Ethereum itself come first, in this order. @see contracts/verification-api.md section 10 */
const ETHEREUM_FIRST = ['1', '560048', '11155111', '17000', '5', '3', '4'];

/** Builds the list of `GET /chains`; addresses that may hold keys are left out unless the operator shows them. */
export function viewChains(chains: readonly ChainSettings[]) {
  return orderChains(chains).map(({ chainId, name, title, rpc, showRpc, supported }) => {
    const open = rpc.filter((endpoint) => isOpen(endpoint, showRpc));
    return {
      name,
      ...(title === null ? {} : { title }),
      chainId: Number(chainId),
      rpc: open.map(({ url }) => url),
      traceSupportedRPCs: open.flatMap(({ trace }, index) =>
        trace === undefined ? [] : [{ type: trace, index }],
      ),
      supported,
      etherscanAPI: false,
    };
  });
}

/** The order in which people are shown chains. */
export function orderChains(chains: readonly ChainSettings[]): readonly ChainSettings[] {
  return chains.toSorted(byPlace);
}

function byPlace(left: ChainSettings, right: ChainSettings): number {
  const difference = place(left) - place(right);
  if (difference !== 0) return difference;
  return (left.title ?? left.name).localeCompare(right.title ?? right.name, 'en');
}

function place({ chainId }: ChainSettings): number {
  const index = ETHEREUM_FIRST.indexOf(chainId);
  return index < 0 ? ETHEREUM_FIRST.length : index;
}

/** What providers of nodes give as keys: letters and digits mixed, or simply long. */
const LIKE_A_KEY = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}|[\w-]{20,}/;
const ADDRESS_OF_A_MACHINE = /^(?:[\d.]+|\[[\da-f:.]+\])$/i;

/** Credentials, headers and queries are never shown. */
function isOpen({ url, headers }: ChainSettings['rpc'][number], showRpc: boolean): boolean {
  const { hostname, password, pathname, search, username } = new URL(url);
  const isPlain = username === '' && password === '' && search === '';
  if (!isPlain || Object.keys(headers ?? {}).length > 0) return false;
  return showRpc || (pathname === '/' && !mayHoldKey(hostname));
}

function mayHoldKey(hostname: string): boolean {
  return !ADDRESS_OF_A_MACHINE.test(hostname) && hostname.split('.').some((label) => LIKE_A_KEY.test(label));
}
