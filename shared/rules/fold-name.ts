/** A name without what people don't see as a difference: NFKC, lower case, no spaces around (the ideographic one too). Idempotent. */
export const foldName = (typed: string): string => typed.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
