import { useTranslation } from 'react-i18next'
import { type LoginPageSettings, MAX_LOGIN_LINKS } from '#shared/contract/login-page.ts'
import { useFixedButton } from '../../ui/fixed-field.ts'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type Links = LoginPageSettings['links']
type Props = { value: Links; onChange: (value: Links) => void }

/** Links: in the footer of the login page next to help and privacy, or a part of the home page. */
export function LoginPageLinks({ value, onChange }: Props) {
  const { t } = useTranslation()
  const add = useFixedButton(() => onChange([...value, { texts: {}, url: '' }]))
  return (
    <fieldset>
      <legend>{t('audit-field.links')}</legend>
      {value.map((link, at) => (
        <LinkFields
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a link being typed has.
          key={at}
          link={link}
          at={at}
          onChange={(part) => onChange(value.with(at, { ...link, ...part }))}
          onRemove={() => onChange(value.toSpliced(at, 1))}
        />
      ))}
      {value.length < MAX_LOGIN_LINKS && (
        <button type="button" className="button" {...add}>
          {t('login-page-setup.link-add')}
        </button>
      )}
    </fieldset>
  )
}

type LinkProps = {
  link: Links[number]
  at: number
  onChange: (part: Partial<Links[number]>) => void
  onRemove: () => void
}

function LinkFields({ link, at, onChange, onRemove }: LinkProps) {
  const { t } = useTranslation()
  const remove = useFixedButton(onRemove)
  return (
    <div className="login-page-link">
      {wordingLanguages().map((language) => (
        <TextField
          key={language}
          label={t('login-page-setup.link-text', { number: at + 1, language: languageLabel(t, language) })}
          name={`changes.links.${at}.texts.${language}`}
          value={link.texts[language] ?? ''}
          maxLength={40}
          isOptional
          onChange={(text) => {
            const { [language]: _, ...others } = link.texts
            onChange({ texts: text === '' ? others : { ...others, [language]: text } })
          }}
        />
      ))}
      <TextField
        label={t('login-page-setup.link-url', { number: at + 1 })}
        name={`changes.links.${at}.url`}
        value={link.url}
        inputMode="url"
        maxLength={500}
        onChange={(url) => onChange({ url })}
      />
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('login-page-setup.link-remove-one', { number: at + 1 })}
        {...remove}
      >
        {t('login-page-setup.link-remove')}
      </button>
    </div>
  )
}
