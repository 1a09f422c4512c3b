/** The form in which a security answer is hashed and compared: case, width and spacing don't matter. */
export const canonicalAnswer = (answer: string): string =>
  answer.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
