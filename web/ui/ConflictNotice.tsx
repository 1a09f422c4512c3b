import type { TFunction } from 'i18next'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../platform/notices.ts'
import type { Refusal } from '../platform/refusal.ts'
import { isSameValue } from '../platform/same-value.ts'
import { BreakableWords } from './Breakable.tsx'
import { fieldDiff } from './field-diff.ts'
import { languageLabel } from './wording-languages.ts'
import './form-dialog.css'
import './stacked-rows.css'

/** How a form handles an edit conflict. */
export type Conflict<T> = {
  /** The state the form began with, as its read call returned it. */
  loaded: T
  /** Labels by field name of the contract; other fields are not compared. */
  labels: { [Key in keyof T]?: string }
  /** What the form has for the fields that were changed in it; absent: it isn't shown beside the others. */
  mine?: { [Key in keyof T]?: unknown }
  /** A value in words; undefined: as it is, lists and texts by language in a row. */
  show?: (field: keyof T & string, value: unknown) => string | undefined
  /** For a field compared part by part: labels and values of its parts, by path. */
  parts?: {
    [Key in keyof T]?: {
      nameOf: (path: readonly string[]) => string
      textOf: (path: readonly string[], value: unknown) => string
    }
  }
  /** The form takes over the other state, including its version. */
  onTakeTheirs: (current: T) => void
  /** The form keeps its values and takes only the version, so that saving again overwrites the other state. */
  onKeepMine: (current: T) => void
}

type Compared<T> = Pick<Conflict<T>, 'loaded' | 'labels' | 'mine' | 'show' | 'parts'>

/** Labels and values of an object in words. */
export type ConflictWords<T> = Pick<Conflict<T>, 'labels' | 'show' | 'parts'>

type Row = { name: string; before: string; now: string; own?: string }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Props<T> = { conflict: Conflict<T>; data: Refusal; onDone: () => void }

const isText = (value: unknown): value is string => typeof value === 'string'

function asText(t: TFunction, value: unknown): string {
  if (isText(value) && value !== '') return value
  const isList = Array.isArray(value) && value.every(isText)
  const isByLanguage = isObject(value) && Object.values(value).every(isText)
  if (isList || isByLanguage) {
    const parts = isList ? value : Object.entries(value).map(([key, text]) => `${languageLabel(t, key)}: ${text}`)
    return parts.join(t('list.separator')) || '—'
  }
  return value === null || value === undefined || value === '' ? '—' : JSON.stringify(value)
}

const differ = (a: unknown, b: unknown): boolean => !isSameValue(a ?? null, b ?? null)

/** Which fields changed since the form was opened, and which values to continue with. */
export function ConflictNotice<T extends object>({ conflict, data, onDone }: Props<T>) {
  const { t } = useTranslation()
  const notice = useRef<HTMLElement>(null)
  // It is below the fields, possibly outside of the screen.
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    void notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { current } = (data.data ?? {}) as { current?: T }
  if (!current) return <p role="alert">{data.message}</p>
  const { onTakeTheirs, onKeepMine } = conflict
  const rows = changedRows(t, conflict, current)
  const keep = () => {
    onKeepMine(current)
    notify('plain', t('conflict.kept'))
    onDone()
  }
  const take = () => {
    onTakeTheirs(current)
    onDone()
  }
  return (
    <section className="conflict" role="alert" ref={notice}>
      <h3>{t('conflict.title')}</h3>
      <p>{t(rows.length > 0 ? 'conflict.text' : 'conflict.same')}</p>
      <ChangedTable rows={rows} hasOwn={conflict.mine !== undefined} />
      <div className="conflict-verbs">
        <button type="button" className="button" onClick={take}>
          {t('conflict.take-theirs')}
        </button>
        <button type="button" className="button" onClick={keep}>
          {t('conflict.keep-mine')}
        </button>
      </div>
    </section>
  )
}

/** The fields that differ from what was loaded, in words. */
function changedRows<T extends object>(t: TFunction, compared: Compared<T>, current: T): Row[] {
  const { loaded, labels, mine, parts } = compared
  const show = (field: keyof T & string, value: unknown) => compared.show?.(field, value) ?? asText(t, value)
  const fields = (Object.keys(labels) as (keyof T & string)[]).filter((field) => differ(loaded[field], current[field]))
  return fields.flatMap((field): Row[] => {
    const [before, now] = [loaded[field], current[field]]
    const part = parts?.[field]
    if (!part || !isObject(before) || !isObject(now)) {
      const own = mine?.[field] === undefined ? '—' : show(field, mine[field])
      return [{ name: labels[field] ?? field, before: show(field, before), now: show(field, now), own }]
    }
    return fieldDiff(before, now).map(({ path, before: former, after }) => ({
      name: part.nameOf(path),
      before: part.textOf(path, former),
      now: part.textOf(path, after),
    }))
  })
}

function ChangedTable({ rows, hasOwn }: { rows: readonly Row[]; hasOwn: boolean }) {
  const { t } = useTranslation()
  if (rows.length === 0) return null
  return (
    <table className="stacked-rows" aria-label={t('conflict.title')}>
      <thead>
        <tr>
          <th scope="col">{t('conflict.field')}</th>
          <th scope="col">{t('conflict.loaded')}</th>
          <th scope="col">{t('conflict.current')}</th>
          {hasOwn && <th scope="col">{t('conflict.mine')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, now, own }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <ValueCell title={t('conflict.loaded')} text={before} />
            <ValueCell title={t('conflict.current')} text={now} />
            {hasOwn && <ValueCell title={t('conflict.mine')} text={own ?? '—'} />}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ValueCell = ({ title, text }: { title: string; text: string }) => (
  <td data-title={title}>
    <BreakableWords text={text} />
  </td>
)

/** What has changed since an object was shown, before it is deleted all the same. */
export function ChangedSince<T extends object>({ current, ...compared }: Compared<T> & { current: T }) {
  const { t } = useTranslation()
  const rows = changedRows(t, compared, current)
  return (
    <section className="conflict">
      {rows.length === 0 && <p>{t('conflict.same')}</p>}
      <ChangedTable rows={rows} hasOwn={false} />
    </section>
  )
}
