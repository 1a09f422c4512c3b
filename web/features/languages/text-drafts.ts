import i18next from 'i18next'
import { useMemo, useState } from 'react'
import type { Language } from '#shared/contract/endpoint.ts'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal, type Refusal } from '../../platform/refusal.ts'
import { fieldErrorsOf } from '../../ui/field-errors.ts'
import { saveChanges, type TextChange } from './text-queries.ts'

/** What was typed and is not saved, with what it began with: a later text of somebody else is a conflict. */
export type TextDraft = {
  language: Language
  key: string
  text: string
  began: { text: string; version: number; own: string | null }
  /** The forms for numbers that the text lacks in its language: worded with it, or nothing is saved. */
  forms: { key: string; text: string; began: string; version: number }[]
  /** Why it was not saved. */
  problem: string
}

/** A text as its field begins. */
export const draftOf = (key: string, { language, text, version, own, forms }: TextInLanguage): TextDraft => ({
  language,
  key,
  text,
  began: { text, version, own },
  forms: forms
    .filter((form) => form.own === null)
    .map((form) => ({ key: form.key, text: form.text, began: form.text, version: form.version })),
  problem: '',
})

const isTyped = ({ text, began, forms }: TextDraft): boolean =>
  text !== began.text || forms.some((form) => form.text !== form.began)

/** With a text that is saved its other forms are. */
export const changesOf = ({ key, text, began, forms }: TextDraft): TextChange[] => [
  { key, text, version: began.version, before: began.own },
  ...forms.map((form) => ({ key: form.key, text: form.text, version: form.version, before: null })),
]

/** By language and key, as a preview takes them. */
export function typedTexts(all: readonly TextDraft[]): Record<Language, Record<string, string>> {
  const typed: Record<Language, Record<string, string>> = {}
  for (const { language, key, text, forms } of all) {
    typed[language] = {
      ...typed[language],
      [key]: text,
      ...Object.fromEntries(forms.map((form) => [form.key, form.text])),
    }
  }
  return typed
}

const placeOf = (language: Language, key: string): string => `${language}/${key}`

/** With six forms for numbers each no more texts than one call takes. */
const AT_ONCE = 8

/** The texts that a page has fields of, as they were typed: kept until they are saved or discarded, whatever is opened meanwhile. */
export function useTextDrafts() {
  const [byPlace, setByPlace] = useState<ReadonlyMap<string, TextDraft>>(new Map())
  const [open, setOpen] = useState<string | null>(null)
  const change = (drafts: readonly TextDraft[], isKept: (draft: TextDraft) => boolean) =>
    setByPlace((before) => {
      const after = new Map(before)
      for (const draft of drafts) {
        const place = placeOf(draft.language, draft.key)
        if (isKept(draft)) after.set(place, draft)
        else after.delete(place)
      }
      return after
    })
  const keep = (...drafts: TextDraft[]) => change(drafts, isTyped)
  const drop = (...drafts: TextDraft[]) => change(drafts, () => false)
  const all = useMemo(() => [...byPlace.values()], [byPlace])
  return {
    all,
    find: (language: Language, key: string): TextDraft | undefined => byPlace.get(placeOf(language, key)),
    isOpen: ({ language, key }: TextDraft): boolean => open === placeOf(language, key),
    /** As long as the field of a text is there. @returns what takes that back. */
    noteOpen: (language: Language, key: string) => {
      const place = placeOf(language, key)
      setOpen(place)
      return () => setOpen((now) => (now === place ? null : now))
    },
    keep,
    drop,
    /** Nothing that was typed is lost: the notice has the way back. */
    discard: (...drafts: TextDraft[]) => {
      drop(...drafts)
      notify('plain', i18next.t('language-list.discarded', { count: drafts.length }), {
        label: i18next.t('action.undo'),
        run: () => keep(...drafts),
      })
    },
    /** What was refused stays, with the reason. @throws what the call threw. */
    saveAll: async () => {
      const parts = [...Map.groupBy(all, ({ language }) => language).values()].flatMap((drafts) =>
        Array.from({ length: Math.ceil(drafts.length / AT_ONCE) }, (_, at) =>
          drafts.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
        ),
      )
      const saved: TextDraft[] = []
      const batches = parts.map((part) => ({
        language: part[0]?.language ?? '',
        changes: part.flatMap(changesOf),
        onSaved: () => saved.push(...part),
      }))
      try {
        await saveChanges(batches)
      } catch (error) {
        const problems = reasonsOf(error)
        const refused = parts.find((part) => part.every((draft) => !saved.includes(draft))) ?? []
        keep(...refused.map((draft) => ({ ...draft, problem: problems.get(draft.key) ?? '' })))
        throw error
      } finally {
        drop(...saved)
      }
    },
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
