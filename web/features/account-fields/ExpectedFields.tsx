import { useTranslation } from 'react-i18next'
import { MAX_EXPECTED_LENGTH } from '#shared/contract/field-rules.ts'
import type { Names } from '../../ui/NamesFields.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type ExpectedProps = {
  expected: Names
  onChange: (expected: Names) => void
}

/** The description of the expected value, shown instead of a pattern. */
export function ExpectedFields({ expected, onChange }: ExpectedProps) {
  const { t } = useTranslation()
  return wordingLanguages().map((language) => (
    <TextField
      key={language}
      label={t('field-rule.expected.in', { language: languageLabel(t, language) })}
      hint={t('field-rule.expected.text')}
      value={expected[language] ?? ''}
      maxLength={MAX_EXPECTED_LENGTH}
      isOptional
      onChange={(text) => onChange({ ...expected, [language]: text })}
    />
  ))
}
