export const CODE_LENGTH = 6

const WHOLE_CODE = new RegExp(`(?<!\\d)\\d(?:[\\s-]?\\d){${CODE_LENGTH - 1}}(?!\\d)`)

/**
 * The code in typed or pasted text: full-width digits, spaces and surrounding text are accepted. Without a complete
 * code, the digits.
 */
export function extractCode(text: string): string {
  const plain = text.normalize('NFKC')
  const [whole] = WHOLE_CODE.exec(plain) ?? []
  return (whole ?? plain).replace(/\D/g, '').slice(0, CODE_LENGTH)
}
