import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import { toHex } from '../../values/hex.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';

/** The EVM addresses under which contracts are shown. */
export type ContractAddresses = ReturnType<typeof createContractAddresses>;

/** Reads the table `entity`. */
export function createContractAddresses(sql: Sql) {
  const { isListed, list } = sql.dialect;
  const find = sql.prepareExact<[SqlList], { readonly id: bigint; readonly address: Buffer }>(
    `select id, evm_address as address from entity where ${isListed('id')} and evm_address is not null`,
  );
  return {
    /**
     * Of each id the EVM address of its entity, deleted ones too, else the long-zero one; null for id 0.
     *
     * @see contracts/mirror-contracts.md section 1, `address` of a row
     */
    async addressesOf(ids: Iterable<bigint>) {
      const wanted = new Set(ids);
      const addresses = new Map<bigint, string | null>(
        [...wanted].map((id) => [id, id === 0n ? null : toHex(longZeroOf(id))]),
      );
      if (wanted.size === 0) return addresses;
      for (const { address, id } of await sql.read(() => find.all(list(wanted)))) {
        if (id !== 0n) addresses.set(id, toHex(address));
      }
      return addresses;
    },
  };
}
