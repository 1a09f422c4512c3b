import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../platform/notices.ts'
import { queryClient } from '../platform/queries.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type Source<Stored, Value extends object> = {
  /** Of the query that returns the stored document. */
  queryKey: readonly unknown[]
  load: (signal: AbortSignal) => Promise<Stored>
  toValue: (stored: Stored) => Value
  save: (stored: Stored, value: Value) => Promise<Stored>
  /** Other queries that a save affects. */
  alsoChanges?: readonly (readonly unknown[])[]
}

/** A settings document with unsaved changes; while there are any, it keeps the version they are based on. */
export function useSettingsDraft<Stored extends object, Value extends object>(source: Source<Stored, Value>) {
  const { t } = useTranslation()
  const { queryKey, load, toValue, save, alsoChanges = [] } = source
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) })
  const [edit, setEdit] = useState<{ stored: Stored; value: Value } | null>(null)
  const stored = edit?.stored ?? query.data
  if (!stored) return { query, draft: null }
  const loaded = toValue(stored)
  const value = edit?.value ?? loaded
  /** Takes over what is stored now; what was changed since `sent` stays unsaved. */
  const settle = (saved: Stored, sent: Value): void => {
    queryClient.setQueryData(queryKey, saved)
    setEdit((now) => {
      const later = now && unsavedSince(now.value, sent, toValue(saved))
      return later && { stored: saved, value: later }
    })
  }
  const keys = Object.keys({ ...loaded, ...value }) as (keyof Value)[]
  return {
    query,
    draft: {
      stored,
      value,
      loaded,
      dirty: keys.filter((key) => !isSame(loaded[key], value[key])),
      change: (next: Value) => setEdit({ stored, value: next }),
      discard: () => setEdit(null),
      /** After another call has stored something. */
      settle: (saved: Stored) => settle(saved, loaded),
      async save(next: Value = value) {
        try {
          settle(await save(stored, next), value)
        } catch (error) {
          throw withCurrent(error, toValue)
        }
        notify('well', t('system-settings.saved'))
        const changed = [['changes'], ['get-started'], ...alsoChanges]
        await Promise.all(changed.map((key) => queryClient.invalidateQueries({ queryKey: key })))
      },
      takeTheirs: ({ stored: current }: Shown<Stored, Value>) => {
        queryClient.setQueryData(queryKey, current)
        setEdit(null)
      },
      keepMine: ({ stored: current }: Shown<Stored, Value>) => setEdit({ stored: current, value }),
    },
  }
}

/** What was changed while `sent` was being saved, on top of what is stored now; null: nothing. */
function unsavedSince<Value extends object>(now: Value, sent: Value, stored: Value): Value | null {
  const later = (Object.keys(now) as (keyof Value)[]).filter((key) => !isSame(now[key], sent[key]))
  return later.length > 0 ? { ...stored, ...Object.fromEntries(later.map((key) => [key, now[key]])) } : null
}

/** What a conflict compares, field by field, and the stored document. */
export type Shown<Stored, Value> = Value & { stored: Stored }

/** Converts the stored document of a conflict to the form's shape, for the comparison. */
function withCurrent<Stored extends object, Value extends object>(
  error: unknown,
  toValue: (stored: Stored) => Value,
): unknown {
  if (!isRefusal(error, 'version.conflict')) return error
  const { current: stored } = error.data as { current: Stored }
  return new Refusal(error.state, error.code, error.message, { data: { current: { ...toValue(stored), stored } } })
}
