import { useTranslation } from 'react-i18next'
import './changed-fields.css'

type Props<Field extends string> = {
  /** Null: the values are not shown. */
  changes: readonly { field: Field; values: { before: string; after: string } | null }[]
  labelOf: (field: Field) => string
}

/** The changed fields of a row in a list, each with its value before and after. */
export function ChangedFields<Field extends string>({ changes, labelOf }: Props<Field>) {
  const { t } = useTranslation()
  return (
    <ul className="changed-fields">
      {changes.map(({ field, values }) => (
        <li key={field}>
          <strong>{values ? t('changed-field.label', { field: labelOf(field) }) : labelOf(field)}</strong>
          {values && (
            <>
              <Value as="del" word={t('diff.before')} value={values.before} />
              <span className="changed-fields-arrow" aria-hidden="true">
                →
              </span>
              <Value as="ins" word={t('diff.after')} value={values.after} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** In its own direction, whatever that of the page is. @param word says which of the two it is to those who don't see where it stands */
function Value({ as: Tag, word, value }: { as: 'del' | 'ins'; word: string; value: string }) {
  return (
    <Tag>
      <span className="visually-hidden">{word} </span>
      <bdi>{value || '—'}</bdi>
    </Tag>
  )
}
