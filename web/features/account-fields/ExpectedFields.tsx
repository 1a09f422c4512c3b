import { useTranslation } from 'react-i18next'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { MAX_EXPECTED_LENGTH } from '#shared/contract/field-rules.ts'
import type { Names } from '../../ui/NamesFields.tsx'
import { TextField } from '../../ui/TextField.tsx'

type ExpectedProps = {
  expected: Names
  disabled?: boolean
  onChange: (expected: Names) => void
}

/** What people are told to type, instead of a pattern. */
export function ExpectedFields({ expected, disabled, onChange }: ExpectedProps) {
  const { t } = useTranslation()
  return SHIPPED_LANGUAGES.map((language) => (
    <TextField
      key={language}
      label={t(`field-rule.expected.${language}`)}
      hint={t('field-rule.expected.text')}
      value={expected[language] ?? ''}
      maxLength={MAX_EXPECTED_LENGTH}
      isOptional
      disabled={disabled ?? false}
      onChange={(text) => onChange({ ...expected, [language]: text })}
    />
  ))
}
