/**
 * The form in which the number of an identity document is kept and compared: without spaces and dashes, capital letters. Its shape
 * is not judged: there are passports and permits besides the national identity card.
 */
export const canonicalIdNumber = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
