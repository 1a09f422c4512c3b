import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BeforeAfterTable } from './BeforeAfterTable.tsx'
import { FieldErrorsContext, fieldErrorsOf } from './field-errors.ts'
import { Skeleton } from './PageSkeleton.tsx'
import { SaveBar } from './SaveBar.tsx'
import { FailedBlock } from './StateBlock.tsx'
import type { Shown, useSettingsDraft } from './use-settings-draft.ts'
import './form-card.css'

type Loaded<Stored extends object, Value extends object> = ReturnType<typeof useSettingsDraft<Stored, Value>>
type Draft<Stored extends object, Value extends object> = NonNullable<Loaded<Stored, Value>['draft']>

type Props<Stored extends object, Value extends object> = Loaded<Stored, Value> & {
  labels: { [Key in keyof Value]?: string }
  /** A value in words; with it the bar lists the changes. */
  show?: (field: string, value: unknown) => string
  /** Saves, or marks incomplete fields. */
  onSave?: () => Promise<unknown>
  /** `onError` marks the fields that an error names, such as one of a check; `undefined` clears them. */
  children: (draft: Draft<Stored, Value>, error: unknown, onError: (error: unknown) => void) => ReactNode
}

/** A settings form: loading and failed states, fields, and the save bar. */
export function SettingsPanel<Stored extends object, Value extends object>(props: Props<Stored, Value>) {
  const { query, draft, labels, show, onSave, children } = props
  const [error, setError] = useState<unknown>()
  const errors = useMemo(() => fieldErrorsOf(error), [error])
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== undefined) body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  if (!draft) {
    return query.isError ? (
      <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton lines={6} />
    )
  }
  return (
    <FieldErrorsContext value={errors}>
      <div className="settings-form form-card" ref={body}>
        {children(draft, error, setError)}
      </div>
      <SaveBar<Shown<Stored, Value>>
        count={draft.dirty.length}
        onSave={onSave ?? (() => draft.save())}
        onDiscard={draft.discard}
        impact={show && <Difference draft={draft} labels={labels} show={show} />}
        error={error}
        onError={setError}
        isOfTab
        conflict={{
          loaded: { ...draft.loaded, stored: draft.stored },
          labels: labels as { [Key in keyof Shown<Stored, Value>]?: string },
          ...(show && { show }),
          onTakeTheirs: draft.takeTheirs,
          onKeepMine: draft.keepMine,
        }}
      />
    </FieldErrorsContext>
  )
}

type DifferenceProps<Value extends object> = {
  draft: { dirty: (keyof Value)[]; loaded: Value; value: Value }
  labels: { [Key in keyof Value]?: string }
  show: (field: string, value: unknown) => string
}

/** Stored and new values, field by field. */
function Difference<Value extends object>({ draft: { dirty, loaded, value }, labels, show }: DifferenceProps<Value>) {
  const { t } = useTranslation()
  const fields = dirty.filter((field) => labels[field] !== undefined)
  if (fields.length === 0) return null
  return (
    <details className="save-difference">
      <summary>{t('save-bar.difference')}</summary>
      <BeforeAfterTable>
        {fields.map((field) => (
          <tr key={String(field)}>
            <th scope="row">{labels[field]}</th>
            <td>{show(String(field), loaded[field])}</td>
            <td>{show(String(field), value[field])}</td>
          </tr>
        ))}
      </BeforeAfterTable>
    </details>
  )
}
