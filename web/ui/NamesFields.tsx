import { useTranslation } from 'react-i18next'
import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { TextField } from './TextField.tsx'

export type Names = Record<Language, string>

/** The name in single languages; where one is empty, the name itself stands. */
export function NamesFields({ names, onChange }: { names: Names; onChange: (names: Names) => void }) {
  const { t } = useTranslation()
  return SHIPPED_LANGUAGES.map((language) => (
    <TextField
      key={language}
      label={t(`name-in.${language}`)}
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
