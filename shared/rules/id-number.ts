/**
 * The canonical form of an identity document number: without spaces and dashes, upper case. Its format is not
 * validated, because passports and permits are accepted besides the national identity card.
 */
export const canonicalIdNumber = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
