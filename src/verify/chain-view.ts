import type { ChainSettings } from './chain/chain-config.ts';

/** Networks of Ethereum itself come first, in this order. @see contracts/verification-api.md section 10 */
const ETHEREUM_FIRST = ['1', '560048', '11155111', '17000', '5', '3', '4'];

/** Builds the list of `GET /chains`; addresses that hold keys are left out. */
export function viewChains(chains: readonly ChainSettings[]) {
  return chains.toSorted(byPlace).map(({ chainId, name, title, rpc, supported }) => {
    const open = rpc.filter(({ url, headers }) => isOpen(url, headers));
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

function byPlace(left: ChainSettings, right: ChainSettings): number {
  const difference = place(left) - place(right);
  if (difference !== 0) return difference;
  return (left.title ?? left.name).localeCompare(right.title ?? right.name, 'en');
}

function place({ chainId }: ChainSettings): number {
  const index = ETHEREUM_FIRST.indexOf(chainId);
  return index < 0 ? ETHEREUM_FIRST.length : index;
}

/** Letters and digits mixed, as long as no word is: what providers of nodes give as keys. */
const KEY_IN_PATH = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}/;

function isOpen(text: string, headers: Readonly<Record<string, string>> | undefined): boolean {
  const { username, password, search, pathname } = new URL(text);
  const isPlain = username === '' && password === '' && search === '' && !KEY_IN_PATH.test(pathname);
  return isPlain && Object.keys(headers ?? {}).length === 0;
}
