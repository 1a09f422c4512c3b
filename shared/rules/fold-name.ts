/** A name without invisible differences: NFKC, lower case, trimmed (including the ideographic space). Idempotent. */
export const foldName = (typed: string): string => typed.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
