import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Props<Root> = {
  legend: string
  hint: string
  value: readonly Root[]
  onChange: (roots: Root[]) => void
  /** The value of an added row. */
  fresh: Root
  addLabel: string
  removeLabel: (at: number) => string
  /** The fields of a row. */
  children: (root: Root, at: number, set: (root: Root) => void) => ReactNode
}

const MAX_ROOTS = 20

/** Rows that pair a department here with its counterpart. */
export function RootRows<Root>({ legend, hint, value, onChange, fresh, addLabel, removeLabel, children }: Props<Root>) {
  const { t } = useTranslation()
  return (
    <fieldset className="sync-fieldset">
      <legend>{legend}</legend>
      <p className="muted">{hint}</p>
      {value.map((root, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: roots are told by their place while they are typed.
        <div key={at} className="sync-grid">
          {children(root, at, (changed) => onChange(value.toSpliced(at, 1, changed)))}
          {value.length > 1 && (
            <button
              type="button"
              className="button button-quiet"
              aria-label={removeLabel(at + 1)}
              onClick={() => onChange(value.toSpliced(at, 1))}
            >
              {t('directory-sync.remove')}
            </button>
          )}
        </div>
      ))}
      {value.length < MAX_ROOTS && (
        <button type="button" className="button" onClick={() => onChange([...value, fresh])}>
          {addLabel}
        </button>
      )}
    </fieldset>
  )
}
