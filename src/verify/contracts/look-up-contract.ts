import type { ServerResponse } from 'node:http';
import type { Hex } from '../../values/hex.ts';
import type { ContractRepository, StoredContract } from './contract-repository.ts';
import type { LookUpRoom } from './look-up-room.ts';

/**
 * Reads a contract with its sources as soon as there is room for an answer with them; null when it is not verified.
 *
 * @throws VerifyRequestError `server_busy`
 */
export async function lookUpContract(
  parts: { readonly contracts: ContractRepository; readonly lookUpRoom: LookUpRoom },
  chainId: string,
  address: Hex,
  response: ServerResponse,
): Promise<StoredContract | null> {
  const bytes = await parts.contracts.sizeOfContract(chainId, address);
  if (bytes === null) return null;
  await parts.lookUpRoom.enter(bytes, response);
  return parts.contracts.findContract(chainId, address);
}
