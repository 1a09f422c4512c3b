export const MAX_NICKNAME_LENGTH = 20
/** A grapheme may consist of many units: a family of four is seven. Longer ones are drawings, not names. */
const MAX_NICKNAME_UNITS = 400

const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' })

/** The number of visible characters: an emoji sequence is one, and so is 𠮷. */
export const countGraphemes = (text: string): number => {
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

/** As stored: composed and trimmed, including U+3000. */
export const canonicalNickname = (text: string): string => text.normalize('NFC').trim()

export type NicknameProblem = 'too-long' | 'unprintable'

/**
 * Control characters, and marks that change the direction of the following text: a name must not affect the page around
 * it. The joiners of emoji are allowed.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The problem of a canonical nickname; empty is valid, and means none. */
export function nicknameProblem(nickname: string): NicknameProblem | null {
  if (nickname === '') return null
  if (nickname.length > MAX_NICKNAME_UNITS || countGraphemes(nickname) > MAX_NICKNAME_LENGTH) return 'too-long'
  return UNPRINTABLE.test(nickname) || !VISIBLE.test(nickname) ? 'unprintable' : null
}
