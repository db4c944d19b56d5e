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
