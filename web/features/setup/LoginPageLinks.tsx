import { useTranslation } from 'react-i18next'
import { type LoginPageSettings, MAX_LOGIN_LINKS } from '#shared/contract/login-page.ts'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type Links = LoginPageSettings['links']
type Props = { value: Links; isFixed: boolean; onChange: (value: Links) => void }

/** Links: in the footer of the login page next to help and privacy, or a part of the home page. */
export function LoginPageLinks({ value, isFixed, onChange }: Props) {
  const { t } = useTranslation()
  const change = (at: number, link: Partial<Links[number]>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...link } : one)))
  return (
    <fieldset disabled={isFixed}>
      <legend>{t('audit-field.links')}</legend>
      {value.map((link, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a link being typed has.
        <div key={at} className="login-page-link">
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
                change(at, { texts: text === '' ? others : { ...others, [language]: text } })
              }}
            />
          ))}
          <TextField
            label={t('login-page-setup.link-url', { number: at + 1 })}
            name={`changes.links.${at}.url`}
            value={link.url}
            inputMode="url"
            maxLength={500}
            onChange={(url) => change(at, { url })}
          />
          <button
            type="button"
            className="button button-quiet"
            onClick={() => onChange(value.toSpliced(at, 1))}
            aria-label={t('login-page-setup.link-remove-one', { number: at + 1 })}
          >
            {t('login-page-setup.link-remove')}
          </button>
        </div>
      ))}
      {value.length < MAX_LOGIN_LINKS && (
        <button type="button" className="button" onClick={() => onChange([...value, { texts: {}, url: '' }])}>
          {t('login-page-setup.link-add')}
        </button>
      )}
    </fieldset>
  )
}
