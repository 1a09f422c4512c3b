import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../platform/format-time.ts'
import { type FieldChange, fieldDiff, onlyIn } from './field-diff.ts'
import './diff-view.css'
import './stacked-rows.css'

type State = Record<string, unknown> | null

type Props = {
  before: State
  after: State
  /** The label of a field, by its path. */
  labelOf: (path: readonly string[]) => string
  /** A field's value in words; null: as stored. */
  wordOf: (path: readonly string[], value: string) => string | null
  inOrder: (fields: readonly FieldChange[]) => FieldChange[]
  /** The titles of the two sides. */
  titles?: { before: string; after: string }
  /** The same as they are kept, where they are compared in words. */
  raw?: { before: State; after: State }
  /** What stands where a field is not there at all. */
  absent?: string
}

/** In what two states differ, field by field: side by side, on a narrow screen one below the other. */
export function DiffView({
  before,
  after,
  labelOf,
  wordOf,
  inOrder,
  titles,
  raw = { before, after },
  absent = '—',
}: Props) {
  const { t } = useTranslation()
  const [isRaw, setRaw] = useState(false)
  // For a created or deleted object show only filled fields.
  const isOneSided = before === null || after === null
  const fields = inOrder(fieldDiff(before, after)).filter(
    (field) => !isOneSided || !isNothing(field.before) || !isNothing(field.after),
  )
  const words = titles ?? { before: t('diff.before'), after: t('diff.after') }
  return (
    <div className="diff">
      {isRaw ? (
        <RawStates {...raw} words={words} />
      ) : fields.length === 0 ? (
        <p className="muted">{t('diff.nothing-shown')}</p>
      ) : (
        <FieldTable fields={fields} labelOf={labelOf} wordOf={wordOf} words={words} absent={absent} />
      )}
      <button type="button" className="button button-quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
        {t('diff.raw')}
      </button>
    </div>
  )
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

type Words = { before: string; after: string }

type TableProps = Pick<Props, 'labelOf' | 'wordOf'> & { fields: FieldChange[]; words: Words; absent: string }

function FieldTable({ fields, labelOf, wordOf, words, absent }: TableProps) {
  const { t } = useTranslation()
  const text = useText()
  /** An entry of a list, field by field; its labels don't repeat those of the list. */
  const entryText = (path: readonly string[], entry: object): string =>
    Object.entries(entry)
      .map(([name, value]) => {
        const inner = [...path, name]
        return `${labelOf(inner).slice(labelOf(path).length).replace(/^ · /, '')}: ${textOf(inner)(value)}`
      })
      .join(' · ')
  const textOf =
    (path: readonly string[]) =>
    (value: unknown): string => {
      if (value === null) return '—'
      if (Array.isArray(value)) return value.map(textOf(path)).join(t('list.separator'))
      if (typeof value === 'object') return entryText(path, value)
      return (typeof value === 'string' && wordOf(path, value)) || text(value)
    }
  return (
    <table className="diff-table stacked-rows" aria-label={t('save-bar.changes')}>
      <thead>
        <tr>
          <th scope="col">{t('diff.field')}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ path, before, after }) => (
          <tr key={path.join('.')}>
            <th scope="row">{labelOf(path)}</th>
            <td data-title={words.before}>
              <Value value={before} other={after} as="del" absent={absent} text={textOf(path)} />
            </td>
            <td data-title={words.after}>
              <Value value={after} other={before} as="ins" absent={absent} text={textOf(path)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** For two lists highlight only the differences. */
function Value({
  value,
  other,
  as: Tag,
  absent,
  text,
}: {
  value: unknown
  other: unknown
  as: 'del' | 'ins'
  absent: string
  text: (value: unknown) => string
}) {
  if (value === undefined) return <span className="muted">{absent}</span>
  if (value === null || value === '') return <span className="muted">—</span>
  const changed = onlyIn(value, other)
  if (!changed || !Array.isArray(value)) return <Tag>{text(value)}</Tag>
  if (value.length === 0) return <span className="muted">—</span>
  return (
    <ul>
      {value.map((one) => (
        <li key={JSON.stringify(one)}>{changed.includes(one) ? <Tag>{text(one)}</Tag> : text(one)}</li>
      ))}
    </ul>
  )
}

function useText(): (value: unknown) => string {
  const { t, i18n } = useTranslation()
  return (value) => {
    if (typeof value === 'boolean') return t(value ? 'records.yes' : 'records.no')
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
      return formatDateTime(new Date(value), i18n.language)
    }
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

function RawStates({ before, after, words }: { before: State; after: State; words: Words }) {
  return (
    <div className="diff-raw">
      {(['before', 'after'] as const).map((side) => (
        <figure key={side}>
          <figcaption>{words[side]}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <section tabIndex={0} aria-label={words[side]}>
            <pre>{JSON.stringify(side === 'before' ? before : after, null, 2)}</pre>
          </section>
        </figure>
      ))}
    </div>
  )
}
