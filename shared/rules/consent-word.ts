/** The last part of the message that tells of what an application learns: fields that an institution defined share one. */
export const consentWord = (learned: string): string =>
  learned.startsWith('attribute.custom.') ? 'attribute.custom' : learned
