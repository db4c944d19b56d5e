/** Seats of an address book; those that no node has are filled up. */
export const SEATS = 128;

/** Bytes of a Schnorr key with its proof of possession: point 64, commitment 64, challenge 32, response 32. */
export const ROSTER_KEY_LENGTH = 192;
