import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { Field } from '../../ui/Field.tsx'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel } from '../../ui/wording-languages.ts'

type Texts = Record<Language, string>

export type Institution = {
  names: Texts
  contacts: Texts
  /** Base64 without a prefix; null: the default logo; absent: unchanged. */
  logo?: string | null | undefined
  /** The favicon; null: the logo. */
  icon?: string | null | undefined
}

const MAX_LOGO_BYTES = 512 * 1024

type Props = {
  value: Institution
  /** The languages of the text fields. */
  languages: readonly Language[]
  /** Keys that the bootstrap file sets. */
  setByFile: readonly string[]
  /**
   * The current pictures; null: the default logo, the logo as favicon. Absent: none yet, and the tab shows the logo.
   */
  marks?: { logo: string | null; icon: string | null }
  onChange: (value: Institution) => void
}

export function InstitutionFields({ value, languages, setByFile, marks, onChange }: Props) {
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
      <PictureField
        name="logo"
        given={value.logo}
        shown={marks?.logo ?? null}
        isSetByFile={setByFile.includes('logo')}
        onChange={(logo) => onChange({ ...value, logo })}
      />
      {marks && (
        <PictureField
          name="icon"
          given={value.icon}
          shown={marks.icon}
          isSetByFile={setByFile.includes('pageLabelLogo')}
          onChange={(icon) => onChange({ ...value, icon })}
        />
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

/** A line of text, in one language or several. */
function TextsField({ label, hint, name, texts, languages, isSetByFile, onChange, ...input }: TextsProps) {
  const { t } = useTranslation()
  return (
    <FixedByFile when={isSetByFile}>
      {languages.map((language) => (
        <TextField
          key={language}
          {...input}
          label={languages.length > 1 ? t('setup.in-language', { label, language: languageLabel(t, language) }) : label}
          name={`changes.${name}.${language}`}
          hint={language === languages.at(-1) ? hint : undefined}
          value={texts[language] ?? ''}
          isOptional
          onChange={(text) => onChange({ ...texts, [language]: text })}
        />
      ))}
    </FixedByFile>
  )
}

type PictureProps = {
  name: 'logo' | 'icon'
  /** As in `Institution`. */
  given: string | null | undefined
  /** The current picture; null: the fallback. */
  shown: string | null
  isSetByFile: boolean
  onChange: (picture: string | null | undefined) => void
}

/** A small picture of the institution, with its fallback. */
function PictureField({ name, given, shown, isSetByFile, onChange }: PictureProps) {
  const { t } = useTranslation()
  const [tooLarge, setTooLarge] = useState(false)
  const [chosen, setChosen] = useState<{ fileName: string; source: string } | null>(null)
  const choose = async (file: File | undefined) => {
    const isTooLarge = file !== undefined && file.size > MAX_LOGO_BYTES
    setTooLarge(isTooLarge)
    const source = file && !isTooLarge ? await toDataUrl(file) : undefined
    setChosen(file && source ? { fileName: file.name, source } : null)
    onChange(source?.split(',')[1])
  }
  const error = tooLarge ? t('setup.logo.too-large') : undefined
  const label = t(`setup.${name}`)
  if (isSetByFile) {
    return (
      <Field label={label} isGroup>
        {() => <SetByFile />}
      </Field>
    )
  }
  // A discarded or saved choice is no longer selected.
  const now = given ? chosen : null
  const picture = now?.source ?? (given === null ? null : shown)
  return (
    <Field label={label} hint={t(`setup.${name}.hint`)} error={error}>
      {(aria) => (
        // The browser's own control uses the browser's language, not the page's.
        <span className="file-field">
          <input
            {...aria}
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => {
              void choose(target.files?.[0])
              // Allows selecting the same file again.
              target.value = ''
            }}
          />
          <label className="button" htmlFor={aria.id}>
            {t('setup.logo.choose')}
          </label>
          {picture && <img className="institution-mark" src={picture} alt={label} />}
          {now && <span className="muted">{now.fileName}</span>}
          {picture && !now && (
            <button type="button" className="button button-quiet" onClick={() => onChange(null)}>
              {t(name === 'logo' ? 'system-settings.shipped-mark' : 'system-settings.logo-as-icon')}
            </button>
          )}
        </span>
      )}
    </Field>
  )
}

const toDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
