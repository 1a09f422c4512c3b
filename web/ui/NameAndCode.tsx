import { useTranslation } from 'react-i18next'
import { TextField } from './TextField.tsx'

type Props = {
  value: { name: string; code: string }
  onChange: (change: { name?: string; code?: string }) => void
  /** The name of the code in the contract. */
  codeField?: string
  codeHint?: string
  /** Others know it by its code by now. */
  isCodeFixed?: boolean
}

/** What something is called, and by what programs know it. */
export function NameAndCode({ value, onChange, codeField = 'code', codeHint, isCodeFixed = false }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('form.name')}
        name="name"
        value={value.name}
        maxLength={100}
        isFirst
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('form.code')}
        name={codeField}
        value={value.code}
        maxLength={64}
        disabled={isCodeFixed}
        hint={codeHint}
        onChange={(code) => onChange({ code })}
      />
    </>
  )
}
