import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type Texts = Record<Language, string>

type Props = { field: 'names' | 'descriptions'; value: Texts; onChange: (value: Texts) => void }

/** A text in each language; empty ones fall back to the main text. */
export function LanguageFields({ field, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <details className="language-fields">
      <summary>{t(`application-field.${field}`)}</summary>
      <div className="language-texts">
        {wordingLanguages().map((language) => (
          <TextField
            key={language}
            label={t(`application-field.${field}.in`, { language: languageLabel(t, language) })}
            name={`${field}.${language}`}
            isOptional
            maxLength={field === 'names' ? 100 : 500}
            value={value[language] ?? ''}
            onChange={(text) => {
              const { [language]: _, ...others } = value
              onChange(text === '' ? others : { ...others, [language]: text })
            }}
          />
        ))}
      </div>
    </details>
  )
}
