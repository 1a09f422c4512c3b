import i18next from 'i18next'
import { useMemo, useState } from 'react'
import type { Language } from '#shared/contract/endpoint.ts'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { fieldErrorsOf } from '../../ui/field-errors.ts'
import { saveChanges, type TextChange } from './text-queries.ts'
import { languageName } from './use-language-name.ts'

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

const isTyped = ({ text, began, forms }: TextDraft): boolean =>
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

const placeOf = ({ language, key }: Pick<TextDraft, 'language' | 'key'>): string => `${language}/${key}`
/** The forms for numbers of one text have it in common. */
const familyOf = ({ language, key }: TextDraft): string => placeOf({ language, key: pluralOf(key)?.base ?? key })

/** With six forms for numbers each no more texts than one call takes. */
const FAMILIES_AT_ONCE = 8

/** What is saved together; the forms of a text are. */
type Part = { language: Language; drafts: TextDraft[] }

function partsOf(all: readonly TextDraft[]): Part[] {
  return [...Map.groupBy(all, ({ language }) => language)].flatMap(([language, drafts]) => {
    const families = [...Map.groupBy(drafts, familyOf).values()]
    return Array.from({ length: Math.ceil(families.length / FAMILIES_AT_ONCE) }, (_, at) => ({
      language,
      drafts: families.slice(at * FAMILIES_AT_ONCE, (at + 1) * FAMILIES_AT_ONCE).flat(),
    }))
  })
}

/** A text that was refused among many is named. */
function named(error: unknown, language: Language): unknown {
  if (!isRefusal(error, 'version.conflict')) return error
  const [key] = [...reasonsOf(error).keys()]
  if (key === undefined) return error
  const { state, code, data, requestId } = error
  const message = i18next.t('language-list.conflict', { key, language: languageName(language), reason: error.message })
  return new Refusal(state, code, message, { data, requestId })
}

/** One part after the other. @throws at the first that is refused. */
async function saveParts(
  parts: readonly Part[],
  onSaved: (drafts: readonly TextDraft[], saved: ReadonlyMap<string, TextInLanguage>) => void,
  onRefused: (drafts: readonly TextDraft[], problems: ReadonlyMap<string, string>) => void,
): Promise<void> {
  let done = 0
  const batches = parts.map(({ language, drafts }) => ({
    language,
    changes: changesOf(drafts),
    onSaved: (saved: ReadonlyMap<string, TextInLanguage>) => {
      done += 1
      onSaved(drafts, saved)
    },
  }))
  try {
    await saveChanges(batches)
  } catch (error) {
    const { language = '', drafts = [] } = parts[done] ?? {}
    onRefused(drafts, reasonsOf(error))
    throw named(error, language)
  }
}

/** The texts that a page has fields of, as they were typed: kept until they are saved or discarded, whatever is opened meanwhile. */
export function useTextDrafts() {
  const [byPlace, setByPlace] = useState<ReadonlyMap<string, TextDraft>>(new Map())
  const [open, setOpen] = useState<string | null>(null)
  /** @param next what becomes of a text that is as `now` by then; kept as long as something of it was typed. */
  const change = (
    drafts: readonly TextDraft[],
    next: (draft: TextDraft, now: TextDraft | undefined) => TextDraft | undefined,
  ) =>
    setByPlace((before) => {
      const after = new Map(before)
      for (const draft of drafts) {
        const place = placeOf(draft)
        const kept = next(draft, before.get(place))
        if (kept && isTyped(kept)) after.set(place, kept)
        else after.delete(place)
      }
      return after
    })
  const keep = (...drafts: TextDraft[]) => change(drafts, (draft) => draft)
  const drop = (...drafts: TextDraft[]) => change(drafts, () => undefined)
  /** After a save: what was typed while it was under way is a change of what is saved by now. */
  const settle = (sent: readonly TextDraft[], saved: ReadonlyMap<string, TextInLanguage>) =>
    change(sent, (draft, now) => {
      const one = saved.get(draft.key)
      return now === draft ? undefined : now && one ? rebase(now, one) : now
    })
  const all = useMemo(() => [...byPlace.values()], [byPlace])
  return {
    all,
    find: (language: Language, key: string): TextDraft | undefined => byPlace.get(placeOf({ language, key })),
    /** With its draft those of the forms that are saved with it. */
    withForms: (draft: TextDraft): TextDraft[] => [
      draft,
      ...all.filter(({ language, key }) => language === draft.language && draft.forms.some((form) => form.key === key)),
    ],
    isOpen: (draft: TextDraft): boolean => open === placeOf(draft),
    /** As long as the field of a text is there. @returns what takes that back. */
    noteOpen: (language: Language, key: string) => {
      const place = placeOf({ language, key })
      setOpen(place)
      return () => setOpen((now) => (now === place ? null : now))
    },
    keep,
    drop,
    settle,
    /** Nothing that was typed is lost: the notice has the way back. */
    discard: (...drafts: TextDraft[]) => {
      drop(...drafts)
      notify('plain', i18next.t('language-list.discarded', { count: drafts.length }), {
        label: i18next.t('action.undo'),
        run: () => keep(...drafts),
      })
    },
    /** What was refused stays, with the reason. @throws what the call threw. */
    saveAll: () =>
      saveParts(partsOf(all), settle, (refused, problems) =>
        change(refused, (draft, now) => (now === draft ? { ...draft, problem: problems.get(draft.key) ?? '' } : now)),
      ),
  }
}
export type TextDrafts = ReturnType<typeof useTextDrafts>

/** By key: of the texts that are refused, or of one that somebody else has changed. */
export function reasonsOf(error: unknown): ReadonlyMap<string, string> {
  if (isRefusal(error, 'version.conflict')) {
    const { key } = (error.data as { current?: { key?: string } } | null)?.current ?? {}
    return new Map(key ? [[key, (error as Refusal).message]] : [])
  }
  return new Map(Object.entries(fieldErrorsOf(error)).map(([field, reason]) => [field.replace(/^texts\./, ''), reason]))
}
