/**
 * Whether what was typed can be a phone number or a mailbox at all. Looser than the server, which has the last word: the whole
 * table of the world's numbers is not worth its download here.
 */
export const isPhone = (typed: string): boolean => /^[+\d][\d\s().-]{5,30}$/.test(typed.normalize('NFKC').trim())

export const isMailbox = (typed: string): boolean =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(typed.normalize('NFKC').trim())
