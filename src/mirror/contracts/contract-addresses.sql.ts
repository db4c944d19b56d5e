import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { toHex } from '../../values/hex.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';
import type { ContractAddresses } from './contract-addresses.ts';

/** Reads the table `entity`. */
export function createContractAddresses(sql: Sql): ContractAddresses {
  const { isListed, list } = sql.dialect;
  const find = sql.prepareExact<[SqlList], { readonly id: bigint; readonly address: Buffer }>(
    `select id, evm_address as address from entity where ${isListed('id')} and evm_address is not null`,
  );
  return {
    async addressesOf(ids) {
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
