/** The digits of what was typed, three at most. */
export const whole = (text: string): number => Number(text.replace(/\D/g, '').slice(0, 3))
