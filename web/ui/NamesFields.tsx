import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { TextField } from './TextField.tsx'
import { languageLabel, wordingLanguages } from './wording-languages.ts'

export type Names = Record<Language, string>

/** Names by language; an empty one falls back to the main name. */
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

/** The names without empty ones, as calls take them. */
export const givenNames = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== ''))
