import type { ServiceEndpoint } from '../../ledger/rows.ts';
import type { ServiceEndpoint as EndpointMessage } from '../../protobuf/message-types.ts';

/** An endpoint with its address as text; members that the ledger does not give are empty. */
export function endpointOf({ ipAddressV4, port, domainName }: EndpointMessage): ServiceEndpoint {
  return { domainName, ipAddressV4: ipAddressV4.length === 4 ? [...ipAddressV4].join('.') : '', port };
}
