/** A name for comparison: dots and spaces between its parts are written in many ways. */
export const canonicalPersonName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\p{P}·]/gu, '')
    .toLowerCase()
