type SearchKeys = { pinyin: string; initials: string }

/** Characters of a form: it is compared from its beginning, and stands in indexes, which take no long values. */
export const MAX_SEARCH_KEY_LENGTH = 100

const HAN_PATTERN = /\p{Script=Han}/u

/**
 * How a name is found from a Latin keyboard: the whole pinyin and its initials, `zhangsan` and `zs`. The surnames of people are
 * read as surnames; a thing has none. Other scripts stand for themselves in lower case. The dictionary is loaded at first use (40 ms).
 */
export async function buildSearchKeys(name: string, kind: 'person' | 'thing' = 'person'): Promise<SearchKeys> {
  if (!HAN_PATTERN.test(name)) return latinSearchKeys(name)
  const { pinyin } = await import('pinyin-pro')
  const surname = kind === 'person' ? 'head' : 'off'
  const syllables = pinyin(name, { toneType: 'none', type: 'array', surname, v: true, nonZh: 'consecutive' })
  const words = syllables.flatMap((syllable) => splitWords(syllable))
  return toSearchKeys(words)
}

function toSearchKeys(words: readonly string[]): SearchKeys {
  const initials = words.slice(0, MAX_SEARCH_KEY_LENGTH).map((word) => Array.from(word)[0])
  return { pinyin: Array.from(words.join('')).slice(0, MAX_SEARCH_KEY_LENGTH).join(''), initials: initials.join('') }
}

const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function latinSearchKeys(name: string): SearchKeys {
  return toSearchKeys(splitWords(name.normalize('NFKD').replace(/\p{M}/gu, '')))
}
