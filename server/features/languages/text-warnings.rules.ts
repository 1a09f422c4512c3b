import { TEXT_WARNINGS, type TextWarning } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'

/** All characters of a two-byte encoding with lead bytes in a range, decoded as in the Encoding Standard. */
function charactersOf(encoding: string, firstLead: number, lastLead: number, firstTrail: number): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let lead = firstLead; lead <= lastLead; lead += 1) {
    for (let trail = firstTrail; trail <= 0xfe; trail += 1) {
      const [character = '', ...more] = decoder.decode(Uint8Array.of(lead, trail))
      if (more.length === 0 && /\p{Script=Han}/u.test(character)) characters.add(character)
    }
  }
  return characters
}

let simplified: ReadonlySet<string> | null = null

/**
 * Characters used in simplified Chinese only: those of GB 2312 (mainland) that Big5 (Taiwan) lacks. Derived from the runtime's decoders, so
 * there is no list to maintain.
 */
function simplifiedOnly(): ReadonlySet<string> {
  if (simplified === null) {
    const big5 = charactersOf('big5', 0xa4, 0xf9, 0x40)
    simplified = new Set([...charactersOf('gbk', 0xb0, 0xf7, 0xa1)].filter((character) => !big5.has(character)))
  }
  return simplified
}

/** The distinct simplified characters of a text. */
export const simplifiedIn = (text: string): string[] => {
  const known = simplifiedOnly()
  return [...new Set(text)].filter((character) => known.has(character))
}

/** The width of a text: a Chinese character counts as two letters. */
export const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, character) =>
      sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(character) ? 2 : 1),
    0,
  )

/** A short text may grow by a word, a long one by half. */
export const maxWidth = (shipped: readonly string[]): number => {
  const widest = Math.max(0, ...shipped.map(widthOf))
  return Math.max(widest + 12, widest * 1.5)
}

const HAN = /\p{Script=Han}/u
const LETTERS = /\p{L}{2,}/u

type Judged = {
  language: string
  /** Null: none in this language. */
  text: string | null
  isOwn: boolean
  /** The shipped text, of the language or its fallback. */
  source: string
  formerSource: string | null
  /** In all languages. */
  shipped: readonly string[]
}

/** Warnings about likely mistakes in a text. */
export function warningsOf({ language, text, isOwn, source, formerSource, shipped }: Judged): TextWarning[] {
  if (text === null) return ['untranslated']
  const words = text.replace(/\{\{[^}]*\}\}/g, '')
  const isChinese = languageTag(language).startsWith('zh')
  const warnings: Record<TextWarning, boolean> = {
    outdated: formerSource !== null,
    untranslated: isOwn && isChinese && !HAN.test(words) && HAN.test(source),
    'same-as-source': isOwn && text === source && LETTERS.test(words),
    simplified: language === 'zh_TW' && simplifiedIn(text).length > 0,
    'too-long': isOwn && widthOf(text) > maxWidth(shipped),
  }
  return TEXT_WARNINGS.filter((name) => warnings[name])
}
