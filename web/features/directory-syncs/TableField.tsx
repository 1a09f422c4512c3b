import { SelectField } from '../../ui/SelectField.tsx'
import type { SourceLook } from './use-source-look.ts'

type Props = { label: string; name: string; value: string; look: SourceLook; onChange: (table: string) => void }

/** Selects a table or view of the source, or says why it can't be read. */
export function TableField({ label, name, value, look, onChange }: Props) {
  return (
    <>
      {look.needsTable && (
        <SelectField label={label} name={name} value={value} options={look.tables} onChange={onChange} />
      )}
      {look.problem && (
        <p className="field-error sync-wide" role="alert">
          {look.problem}
        </p>
      )}
    </>
  )
}
