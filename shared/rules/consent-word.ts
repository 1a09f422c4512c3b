/** The suffix of the consent message for an attribute; custom fields share one. */
export const consentWord = (learned: string): string =>
  learned.startsWith('attribute.custom.') ? 'attribute.custom' : learned
