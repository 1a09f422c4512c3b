/** Characters of a text message that is one, and of each part of a longer one: the parts carry their order. */
export const SMS_CHARACTERS = 70
export const SMS_PART_CHARACTERS = 67

type SmsLength = {
  characters: number
  parts: number
  /** What a gateway puts in front of a text that has no signature; '': it has one. */
  added: string
}

/** How long a text message is as carriers in China count, Latin letters like Chinese ones, with the signature that each must bear. */
export function smsLength(text: string, sender: string): SmsLength {
  const isSigned = /^【[^】]+】|【[^】]+】$/.test(text)
  const added = isSigned ? '' : `【${sender}】`
  const characters = added.length + text.length
  return { characters, parts: characters <= SMS_CHARACTERS ? 1 : Math.ceil(characters / SMS_PART_CHARACTERS), added }
}
