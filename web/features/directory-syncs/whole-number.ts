/** A number of up to three digits from typed text. */
export const toWholeNumber = (text: string): number => Number(text.replace(/\D/g, '').slice(0, 3))
