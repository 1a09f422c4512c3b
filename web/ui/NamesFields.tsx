import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { TextField } from './TextField.tsx'
import { languageLabel, wordingLanguages } from './wording-languages.ts'

export type Names = Record<Language, string>

/** The name in single languages; where one is empty, the name itself stands. */
export function NamesFields({ names, onChange }: { names: Names; onChange: (names: Names) => void }) {
  const { t } = useTranslation()
  return wordingLanguages().map((language) => (
    <TextField
      key={language}
      label={t('name-in', { language: languageLabel(t, language) })}
      name={`names.${language}`}
      value={names[language] ?? ''}
      maxLength={100}
      isOptional
      onChange={(text) => onChange({ ...names, [language]: text })}
    />
  ))
}

/** As a call takes them: a language without a name is not named. */
export const givenNames = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== ''))
