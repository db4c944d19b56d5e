import { timeLimit } from '../../values/time-limit.ts';
import { checksumAddress, isAddress, normaliseAddress } from '../address.ts';
import type { Chain } from '../chain/chain-registry.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable-error.ts';
import type { ContractRepository } from '../contracts/contract-repository.ts';
import { invalidParameter } from '../errors.ts';
import { type EtherscanAnswer, notOk, ok } from './etherscan-call.ts';
import { TEXTS } from './texts.ts';

const MOST_ADDRESSES = 5;
/** The search for a creation transaction asks a node many times. */
const SEARCH_MS = 10_000;

/** Tells who created contracts in which transactions: what is stored, otherwise what the chain can tell. */
export async function listCreations(
  contracts: ContractRepository,
  { settings: { chainId }, source }: Chain,
  list: string,
  signal: AbortSignal,
): Promise<EtherscanAnswer> {
  const addresses = list.split(',').map((text) => text.trim());
  if (addresses.length > MOST_ADDRESSES || !addresses.every(isAddress)) {
    throw invalidParameter(
      `Invalid Address format: contractaddresses must list up to ${MOST_ADDRESSES} addresses, separated by commas`,
    );
  }
  const limit = timeLimit(SEARCH_MS, signal);

  async function search(text: string) {
    const address = normaliseAddress(text);
    const stored = (await contracts.findCompiled(chainId, address))?.deployment ?? null;
    if (stored !== null && stored.transactionHash !== null) return { address, ...stored };
    try {
      const runtimeCode = await source.runtimeCode(address, limit);
      const found = await source.creation({ address, runtimeCode }, null, limit);
      return found === null || found.transactionHash === null ? null : { address, ...found };
    } catch (error) {
      // A node that fails or takes too long leaves the creation unknown.
      if (error instanceof ChainUnavailableError || limit.aborted) return null;
      throw error;
    }
  }

  const creations = await Promise.all(addresses.map(search));
  const result = creations.flatMap((creation) => {
    if (creation === null) return [];
    const { address, deployer, transactionHash, blockNumber } = creation;
    return [
      {
        contractAddress: checksumAddress(address),
        contractCreator: deployer === null ? '' : checksumAddress(deployer),
        txHash: transactionHash,
        blockNumber: blockNumber === null ? '' : String(blockNumber),
      },
    ];
  });
  return result.length === 0 ? notOk(TEXTS.noCreation) : ok(result);
}
