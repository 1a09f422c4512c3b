import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/Field.tsx'

export type Institution = {
  name: string
  contact: string
  /** Base64 without a prefix. */
  logo: string | null
}

const MAX_LOGO_BYTES = 512 * 1024

type Props = { value: Institution; onChange: (value: Institution) => void }

export function InstitutionFields({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('setup.institution')}</legend>
      <p className="muted">{t('setup.institution.hint')}</p>
      <Field label={t('setup.school-name')}>
        {(aria) => (
          <input
            {...aria}
            className="input"
            autoComplete="organization"
            maxLength={60}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('setup.contact')} hint={t('setup.contact.hint')}>
        {(aria) => (
          <input
            {...aria}
            className="input"
            maxLength={120}
            value={value.contact}
            onChange={(event) => onChange({ ...value, contact: event.target.value })}
          />
        )}
      </Field>
      <LogoField onChange={(logo) => onChange({ ...value, logo })} />
    </fieldset>
  )
}

function LogoField({ onChange }: { onChange: (logo: string | null) => void }) {
  const { t } = useTranslation()
  const [tooLarge, setTooLarge] = useState(false)
  const [fileName, setFileName] = useState('')
  const choose = async (file: File | undefined) => {
    const isTooLarge = file !== undefined && file.size > MAX_LOGO_BYTES
    setTooLarge(isTooLarge)
    setFileName(file?.name ?? '')
    onChange(file && !isTooLarge ? await toBase64(file) : null)
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
