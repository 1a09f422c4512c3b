type SearchForms = { pinyin: string; initials: string }

/** Characters of a form: it is compared from its beginning, and stands in indexes, which take no long values. */
export const LONGEST_FORM = 100

const HAN = /\p{Script=Han}/u

/**
 * How a name is found from a Latin keyboard: the whole pinyin and its initials, `zhangsan` and `zs`. The surnames of people are
 * read as surnames; a thing has none. Other scripts stand for themselves in lower case. The dictionary is loaded at first use (40 ms).
 */
export async function searchFormsOf(name: string, of: 'person' | 'thing' = 'person'): Promise<SearchForms> {
  if (!HAN.test(name)) return latinForms(name)
  const { pinyin } = await import('pinyin-pro')
  const surname = of === 'person' ? 'head' : 'off'
  const syllables = pinyin(name, { toneType: 'none', type: 'array', surname, v: true, nonZh: 'consecutive' })
  const words = syllables.flatMap((syllable) => wordsOf(syllable))
  return formsOf(words)
}

function formsOf(words: readonly string[]): SearchForms {
  const initials = words.slice(0, LONGEST_FORM).map((word) => Array.from(word)[0])
  return { pinyin: Array.from(words.join('')).slice(0, LONGEST_FORM).join(''), initials: initials.join('') }
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function latinForms(name: string): SearchForms {
  return formsOf(wordsOf(name.normalize('NFKD').replace(/\p{M}/gu, '')))
}
