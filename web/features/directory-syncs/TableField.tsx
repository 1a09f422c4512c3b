import { SelectField } from '../../ui/SelectField.tsx'
import type { SourceLook } from './use-source-look.ts'

type Props = { label: string; value: string; look: SourceLook; onChange: (table: string) => void }

/** Selects a table or view of the source, or says why it can't be read. */
export function TableField({ label, value, look, onChange }: Props) {
  return (
    <>
      {look.needsTable && (
        <SelectField
          label={label}
          name="table"
          value={value}
          options={look.tables.map((name) => ({ value: name, label: name }))}
          onChange={onChange}
        />
      )}
      {look.problem && (
        <p className="field-error sync-wide" role="alert">
          {look.problem}
        </p>
      )}
    </>
  )
}
