/** Whether a note asks for a pinned ledger id. @see contracts/streams.md section 18.3 */
export function lacksLedgerId(note: string | null): boolean {
  return note?.includes('MIRROR_LEDGER_ID') === true;
}

/** What the lack of a pinned ledger id costs and how to end it. */
export const LEDGER_ID_MISSING =
  'MIRROR_LEDGER_ID is not set: nothing confirms that the blocks are of this network, so their level is "chain" and not ' +
  '"signatures", and stored blocks keep it. Compare the id that "ledgerlens ledger units" prints with the one that the ' +
  'network publishes, set the variable and import into a new database';

const BY_LATER = ', by the proof of ';

/** What a unit says that the proof of a later one binds. */
export function noteByLater(note: string, later: string): string {
  return note + BY_LATER + later;
}

/** The same without the name of the later one: units that are proven alike say the same. */
export function noteOfKind(note: string): string {
  const end = note.indexOf(BY_LATER);
  return end < 0 ? note : note.slice(0, end);
}
