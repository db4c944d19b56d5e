import { bareHex } from '../../../values/hex.ts';
import type { PublishedLedger } from '../../ledger/facets/ledger-publications.ts';
import type { KnownTrust } from '../../ledger/known-trust.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import { ledgerTrustOf, pinOf } from './ledger-trust-of.ts';

/**
 * Compares what the ledger and a unit publish with the id that the operator pins, else with the first publication.
 *
 * @returns in words what differs; null when nothing does. Such a unit is stored, since it is what the network did, but
 *   the operator has to hear of it.
 * @throws IngestError `ledger_id_conflict` when the operator pins an id that this ledger never had: it is another ledger,
 *   or a wrong pin.
 * @see contracts/streams.md sections 12 and 18.3
 */
export function ledgerIdConflict(
  name: string,
  published: readonly PublishedLedger[],
  known: KnownTrust,
  options: ProofOptions | undefined,
): string | null {
  demandPinned(name, [...known.publications, ...published], pinOf(options));
  const ledgerId = ledgerTrustOf(known, options).ledgerId ?? published[0]?.ledgerId;
  const other = published.find((each) => ledgerId !== undefined && !sameBytes(each.ledgerId, ledgerId));
  if (ledgerId === undefined || other === undefined) return null;
  return `${name} says that the ledger id is ${bareHex(other.ledgerId)}, but this ledger is ${bareHex(ledgerId)}`;
}

function demandPinned(
  name: string,
  published: readonly Pick<PublishedLedger, 'ledgerId'>[],
  pin: Uint8Array | null,
): void {
  const [first] = published;
  if (pin === null || first === undefined) return;
  if (published.some(({ ledgerId }) => sameBytes(ledgerId, pin))) return;
  throw new IngestError(
    'ledger_id_conflict',
    `${name} belongs to the ledger ${bareHex(first.ledgerId)}, but MIRROR_LEDGER_ID is ${bareHex(pin)}: this is ` +
      'another ledger, or the variable is wrong',
  );
}
