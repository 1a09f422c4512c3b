import { useTranslation } from 'react-i18next'
import { NameField } from './NameField.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  value: { name: string; code: string }
  onChange: (change: { name?: string; code?: string }) => void
  /** The code's name in the contract. */
  codeField?: string
  codeHint?: string
  /** Others refer to the code already. */
  isCodeFixed?: boolean
  /** Fields that are changed elsewhere, and where. */
  closedBy?: (field: string) => { disabled?: boolean; hint?: string }
}

/** A name, and the code used by programs. */
export function NameAndCode({ value, onChange, closedBy, ...code }: Props) {
  const { codeField = 'code', codeHint, isCodeFixed = false } = code
  const { t } = useTranslation()
  return (
    <>
      <NameField
        label={t('form.name')}
        value={value.name}
        {...closedBy?.('name')}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('form.code')}
        name={codeField}
        value={value.code}
        maxLength={64}
        disabled={isCodeFixed}
        hint={codeHint}
        {...closedBy?.(codeField)}
        onChange={(code) => onChange({ code })}
      />
    </>
  )
}
