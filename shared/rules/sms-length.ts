/** The characters of a single text message, and of each part of a longer one: parts contain their order. */
export const SMS_CHARACTERS = 70
export const SMS_PART_CHARACTERS = 67

type SmsLength = {
  characters: number
  parts: number
  /** The signature that a gateway adds to a text without one; '': it has one. */
  added: string
}

/**
 * The length of a text message as carriers in China count it, Latin letters like Chinese characters, including the
 * mandatory signature.
 */
export function smsLength(text: string, sender: string): SmsLength {
  const isSigned = /^【[^】]+】|【[^】]+】$/.test(text)
  const added = isSigned ? '' : `【${sender}】`
  const characters = added.length + text.length
  return { characters, parts: characters <= SMS_CHARACTERS ? 1 : Math.ceil(characters / SMS_PART_CHARACTERS), added }
}
