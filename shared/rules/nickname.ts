export const MAX_NICKNAME_LENGTH = 20
/** A sign may be made of many: a family of four is seven. What is longer than this for each is no name but a drawing. */
const MAX_NICKNAME_UNITS = 400

const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' })

/** How many characters a person sees: an emoji of many parts is one, and so is 𠮷. */
export const countGraphemes = (text: string): number => {
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

/** As it is stored: composed, without spaces around, U+3000 among them. */
export const canonicalNickname = (text: string): string => text.normalize('NFC').trim()

export type NicknameProblem = 'too-long' | 'unprintable'

/**
 * Control characters, and marks that turn the direction of what stands behind them: a name must not rewrite the page around it.
 * The joiners that emoji are made of are allowed.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What is wrong with a tidy nickname; empty is right, and means none. */
export function nicknameProblem(nickname: string): NicknameProblem | null {
  if (nickname === '') return null
  if (nickname.length > MAX_NICKNAME_UNITS || countGraphemes(nickname) > MAX_NICKNAME_LENGTH) return 'too-long'
  return UNPRINTABLE.test(nickname) || !VISIBLE.test(nickname) ? 'unprintable' : null
}
