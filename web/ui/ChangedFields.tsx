import './changed-fields.css'

type Props<Field extends string> = {
  /** Null: the values are not shown. */
  changes: readonly { field: Field; values: { before: string; after: string } | null }[]
  labelOf: (field: Field) => string
}

/** The changed fields of a row in a list, each with its value before and after. */
export function ChangedFields<Field extends string>({ changes, labelOf }: Props<Field>) {
  return (
    <ul className="changed-fields">
      {changes.map(({ field, values }) => (
        <li key={field}>
          <strong>{labelOf(field)}</strong>
          {values && (
            <>
              <del>{values.before || '—'}</del>
              <span aria-hidden="true">→</span>
              <ins>{values.after || '—'}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
