type SearchForms = { pinyin: string; initials: string }

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
  return { pinyin: words.join(''), initials: words.map((word) => Array.from(word)[0]).join('') }
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function latinForms(name: string): SearchForms {
  const words = wordsOf(name.normalize('NFKD').replace(/\p{M}/gu, ''))
  return { pinyin: words.join(''), initials: words.map((word) => Array.from(word)[0]).join('') }
}
