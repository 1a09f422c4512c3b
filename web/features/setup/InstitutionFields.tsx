import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { Field } from '../../ui/Field.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel } from '../../ui/wording-languages.ts'

type Texts = Record<Language, string>

export type Institution = {
  names: Texts
  contacts: Texts
  /** Base64 without a prefix; null: the shipped mark; absent: as it is. */
  logo?: string | null | undefined
}

const MAX_LOGO_BYTES = 512 * 1024

type Props = {
  value: Institution
  /** In which the words are asked for. */
  languages: readonly Language[]
  /** Keys that the bootstrap file sets. */
  setByFile: readonly string[]
  /** The picture that is in use; null: the shipped mark. */
  mark?: string | null
  onChange: (value: Institution) => void
}

export function InstitutionFields({ value, languages, setByFile, mark = null, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('setup.institution')}</legend>
      <p className="muted">{t(languages.length > 1 ? 'system-settings.languages' : 'setup.institution.hint')}</p>
      <TextsField
        label={t('setup.school-name')}
        name="names"
        texts={value.names}
        languages={languages}
        maxLength={60}
        isSetByFile={setByFile.includes('names')}
        onChange={(names) => onChange({ ...value, names })}
      />
      <TextsField
        label={t('setup.contact')}
        hint={t('setup.contact.hint')}
        name="contacts"
        texts={value.contacts}
        languages={languages}
        maxLength={120}
        isSetByFile={setByFile.includes('contacts')}
        onChange={(contacts) => onChange({ ...value, contacts })}
      />
      {setByFile.includes('logo') ? (
        <Field label={t('setup.logo')} isGroup>
          {() => <SetByFile />}
        </Field>
      ) : (
        <LogoField mark={value.logo === null ? null : mark} onChange={(logo) => onChange({ ...value, logo })} />
      )}
    </fieldset>
  )
}

type TextsProps = {
  label: string
  hint?: string
  /** Its key in the settings. */
  name: string
  texts: Texts
  languages: readonly Language[]
  maxLength: number
  isSetByFile: boolean
  onChange: (texts: Texts) => void
}

/** One line of text, in one language or several. */
function TextsField({ label, hint, name, texts, languages, isSetByFile, onChange, ...input }: TextsProps) {
  const { t } = useTranslation()
  return (
    <>
      {languages.map((language) => (
        <TextField
          key={language}
          {...input}
          label={languages.length > 1 ? t('setup.in-language', { label, language: languageLabel(t, language) }) : label}
          name={`changes.${name}.${language}`}
          hint={language === languages.at(-1) ? hint : undefined}
          value={texts[language] ?? ''}
          disabled={isSetByFile}
          isOptional
          onChange={(text) => onChange({ ...texts, [language]: text })}
        />
      ))}
      {isSetByFile && <SetByFile />}
    </>
  )
}

type LogoProps = { mark: string | null; onChange: (logo: string | null | undefined) => void }

function LogoField({ mark, onChange }: LogoProps) {
  const { t } = useTranslation()
  const [tooLarge, setTooLarge] = useState(false)
  const [fileName, setFileName] = useState('')
  const choose = async (file: File | undefined) => {
    const isTooLarge = file !== undefined && file.size > MAX_LOGO_BYTES
    setTooLarge(isTooLarge)
    setFileName(file?.name ?? '')
    onChange(file && !isTooLarge ? await toBase64(file) : undefined)
  }
  return (
    <Field label={t('setup.logo')} hint={t('setup.logo.hint')} error={tooLarge ? t('setup.logo.too-large') : undefined}>
      {(aria) => (
        // The browser's own control speaks the browser's language, not the page's.
        <span className="file-field">
          <input
            {...aria}
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
          <label className="button" htmlFor={aria.id}>
            {t('setup.logo.choose')}
          </label>
          <span className="muted">{fileName}</span>
          {mark && !fileName && (
            <>
              <img className="institution-mark" src={mark} alt={t('setup.logo')} />
              <button type="button" className="button button-quiet" onClick={() => onChange(null)}>
                {t('system-settings.shipped-mark')}
              </button>
            </>
          )}
        </span>
      )}
    </Field>
  )
}

const toBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
