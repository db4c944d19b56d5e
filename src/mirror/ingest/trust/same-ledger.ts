import { bareHex } from '../../../values/hex.ts';
import type { PublishedLedger } from '../../ledger/facets/ledger-publications.ts';
import type { KnownTrust } from '../../ledger/known-trust.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import { ledgerTrustOf, pinOf } from './ledger-trust-of.ts';

/**
 * Compares what a unit publishes with the id of the ledger, which the operator or the first publication fixes.
 *
 * @returns in words what differs; null when nothing does. Such a unit is stored, since it is what the network did, but
 *   the operator has to hear of it.
 * @throws IngestError `ledger_id_conflict` when the operator pins an id that the ledger never published: then it is
 *   another ledger, or a wrong pin.
 * @see contracts/streams.md sections 12 and 18.3
 */
export function ledgerIdConflict(
  name: string,
  published: readonly PublishedLedger[],
  known: KnownTrust,
  options: ProofOptions | undefined,
): string | null {
  const pin = pinOf(options);
  const ledgerId = ledgerTrustOf(known, options).ledgerId ?? published[0]?.ledgerId ?? null;
  const other = published.find((each) => ledgerId !== null && !sameBytes(each.ledgerId, ledgerId));
  if (ledgerId === null || other === undefined) return null;
  const told = `${name} says that the ledger id is ${bareHex(other.ledgerId)}`;
  if (pin === null || known.publications.some((each) => sameBytes(each.ledgerId, pin))) {
    return `${told}, but this ledger is ${bareHex(ledgerId)}`;
  }
  throw new IngestError(
    'ledger_id_conflict',
    `${told}, but MIRROR_LEDGER_ID is ${bareHex(pin)}: this is another ledger, or the variable is wrong`,
  );
}
