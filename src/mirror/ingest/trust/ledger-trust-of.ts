import { bareHex } from '../../../values/hex.ts';
import { type LedgerPublication, readLedgerPublication } from '../../items/ledger-publication.ts';
import type { PublishedLedger } from '../../ledger/facets/ledger-publications.ts';
import type { KnownPublication, KnownTrust } from '../../ledger/known-trust.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import { type LedgerTrust, NO_LEDGER_TRUST, type ProofOptions } from '../units/ledger-trust.ts';

/**
 * What the proof of the next block is checked with.
 *
 * The ledger id is that of the operator, else the first one that a signed unit published, else the first one that any
 * told. The roster needs no more than the id, which is its hash. The WRAPS key does: with a pinned id it is taken from a
 * signed unit alone, because who makes such a key can make proofs for it.
 *
 * @see contracts/streams.md section 18.3
 */
export function ledgerTrustOf(known: KnownTrust, options: ProofOptions | undefined): LedgerTrust {
  const {
    allowsGeneration1 = NO_LEDGER_TRUST.allowsGeneration1,
    leastGeneration = NO_LEDGER_TRUST.leastGeneration,
  } = options ?? {};
  const pin = pinOf(options);
  const first = known.publications.find(({ isSigned }) => isSigned) ?? known.publications[0];
  const ledgerId = pin ?? first?.ledgerId ?? known.stateLedgerId;
  const isPinned = pin !== null || (first?.isSigned ?? false);
  const publications = known.publications.filter(
    (each) => ledgerId !== null && sameBytes(each.ledgerId, ledgerId),
  );
  return {
    ledgerId,
    roster: firstOf(publications, ({ roster }) => (roster.length === 0 ? null : roster)),
    wrapsKey: firstOf(
      publications.filter(({ isSigned }) => isSigned || !isPinned),
      ({ wrapsKey }) => wrapsKey,
    ),
    knownKeys: known.keys,
    leastGeneration: known.generation === 2 ? 2 : leastGeneration,
    isPinned,
    allowsGeneration1,
  };
}

/** The id that the operator pins; null for none. */
function pinOf(options: Pick<ProofOptions, 'ledgerId'> | undefined): Uint8Array | null {
  const id = options?.ledgerId ?? null;
  return id === null ? null : Uint8Array.from(Buffer.from(id, 'hex'));
}

function firstOf<T>(
  publications: readonly KnownPublication[],
  member: (publication: LedgerPublication) => T | null,
): T | null {
  for (const { body } of publications) {
    const publication = body === null ? null : readLedgerPublication(body);
    const found = publication === null ? null : member(publication);
    if (found !== null) return found;
  }
  return null;
}

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
  return `${name} names the ledger id ${bareHex(other.ledgerId)}, but this ledger is ${bareHex(ledgerId)}`;
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
