type SearchKeys = { pinyin: string; initials: string }

/** Length limit of a search key: it is compared by prefix, and index entries can't be long. */
export const MAX_SEARCH_KEY_LENGTH = 100

const HAN_PATTERN = /\p{Script=Han}/u

/**
 * The search keys of a name for a Latin keyboard: the whole pinyin and its initials, `zhangsan` and `zs`. Surnames of people are read as
 * surnames; things have none. Other scripts are kept in lower case. The dictionary is loaded at first use (40 ms).
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
