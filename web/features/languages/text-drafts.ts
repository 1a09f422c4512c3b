import i18next from 'i18next'
import { useMemo, useState } from 'react'
import type { Language } from '#shared/contract/endpoint.ts'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { fieldErrorsOf } from '../../ui/field-errors.ts'
import { changesOf, isTyped, type Part, partsOf, placeOf, rebase, type TextDraft } from './text-draft.ts'
import { saveChanges } from './text-queries.ts'
import { languageName } from './use-language-name.ts'

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
