import type { Language } from '#shared/contract/endpoint.ts'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'
import type { TextChange } from './text-queries.ts'

/** What was typed and is not saved, with what it began with: a later text of somebody else is a conflict. */
export type TextDraft = {
  language: Language
  key: string
  text: string
  began: { text: string; version: number; own: string | null }
  /** The forms for numbers that the text lacks in its language: worded with it, or nothing is saved. */
  forms: { key: string; text: string; began: string; version: number; own: string | null }[]
  /** Why it was not saved. */
  problem: string
}

/** A text as its field begins. @param typed forms, by key, that were typed already. */
export const draftOf = (
  key: string,
  { language, text, version, own, forms }: TextInLanguage,
  typed: ReadonlyMap<string, string> = new Map(),
): TextDraft => ({
  language,
  key,
  text,
  began: { text, version, own },
  forms: forms
    .filter((form) => form.own === null || typed.has(form.key))
    .map((form) => ({ ...form, text: typed.get(form.key) ?? form.text, began: form.text })),
  problem: '',
})

/** What was typed, as a change of the text that is stored by now. */
export function rebase({ key, text, forms }: TextDraft, one: TextInLanguage): TextDraft {
  const typed = forms.flatMap((form) => (form.text === form.began ? [] : [[form.key, form.text] as const]))
  return { ...draftOf(key, one, new Map(typed)), text }
}

/** Is there anything to save? */
export const isTyped = ({ text, began, forms }: TextDraft): boolean =>
  text !== began.text || forms.some((form) => form.text !== form.began)

/**
 * With a text that is saved its other forms are. Two forms of one text may carry each other: each is there once, what was typed before what
 * was not, and of that what the form's own field says.
 */
export function changesOf(drafts: readonly TextDraft[]): (TextChange & { text: string })[] {
  const parts = drafts.flatMap(({ key, text, began, forms }) => [
    { rank: text === began.text ? 0 : 2, change: { key, text, version: began.version, before: began.own } },
    ...forms.map(({ began: untouched, own, ...form }) => ({
      rank: form.text === untouched ? 0 : 1,
      change: { ...form, before: own },
    })),
  ])
  const ranked = parts.toSorted((one, other) => one.rank - other.rank)
  return [...new Map(ranked.map(({ change }) => [change.key, change])).values()]
}

/** By language and key, as a preview takes them. */
export const typedTexts = (all: readonly TextDraft[]): Record<Language, Record<string, string>> =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ language }) => language)].map(([language, drafts]) => [
      language,
      Object.fromEntries(changesOf(drafts).map(({ key, text }) => [key, text])),
    ]),
  )

/** A text in a language. */
export const placeOf = ({ language, key }: Pick<TextDraft, 'language' | 'key'>): string => `${language}/${key}`
/** The forms for numbers of one text have it in common. */
const familyOf = ({ language, key }: TextDraft): string => placeOf({ language, key: pluralOf(key)?.base ?? key })

/** With six forms for numbers each no more texts than one call takes. */
const FAMILIES_AT_ONCE = 8

export type Part = { language: Language; drafts: TextDraft[] }

/** What is saved together; the forms of a text are. */
export function partsOf(all: readonly TextDraft[]): Part[] {
  return [...Map.groupBy(all, ({ language }) => language)].flatMap(([language, drafts]) => {
    const families = [...Map.groupBy(drafts, familyOf).values()]
    return Array.from({ length: Math.ceil(families.length / FAMILIES_AT_ONCE) }, (_, at) => ({
      language,
      drafts: families.slice(at * FAMILIES_AT_ONCE, (at + 1) * FAMILIES_AT_ONCE).flat(),
    }))
  })
}
