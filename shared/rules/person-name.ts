/** A name as two people would agree on it: dots between its parts are written in many ways, spaces even more so. */
export const canonicalPersonName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s\p{P}·]/gu, '')
    .toLowerCase()
