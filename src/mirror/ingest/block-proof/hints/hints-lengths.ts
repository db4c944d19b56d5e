/** Length of a serialized verification key; like that of a signature apart from their mathematics, which cutting a proof does not need. */
export const HINTS_KEY_BYTES = 1096;
/** Length of a threshold signature of generations 1 and 2. */
export const HINTS_SIGNATURE_BYTES = 1632;
