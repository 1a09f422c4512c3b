import { useTranslation } from 'react-i18next'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { FIRST_WAYS, LOGIN_LAYOUTS, type LoginPageSettings } from '#shared/contract/login-page.ts'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { LoginPageLinks } from './LoginPageLinks.tsx'

type Props = {
  value: LoginPageSettings
  setByFile: readonly string[]
  onChange: (value: LoginPageSettings) => void
}

/** Where the form stands, what is offered first, which languages, links and filing numbers. */
export function LoginPageFields({ value, setByFile, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<LoginPageSettings>) => onChange({ ...value, ...change })
  const isFixed = (key: keyof LoginPageSettings) => setByFile.includes(key)
  return (
    <>
      {setByFile.length > 0 && <SetByFile />}
      <RadioCards
        legend={t('audit-field.layout')}
        value={value.layout}
        options={LOGIN_LAYOUTS.map((layout) => ({
          value: layout,
          label: t(`login-page-setup.layout.${layout}`),
          disabled: isFixed('layout'),
        }))}
        onChange={(layout) => set({ layout })}
      />
      <Switch
        label={t('audit-field.slogan')}
        hint={t('login-page-setup.slogan-hint')}
        checked={value.slogan}
        disabled={isFixed('slogan')}
        onChange={(slogan) => set({ slogan })}
      />
      <SelectField
        label={t('audit-field.firstWay')}
        hint={t('login-page-setup.first-way-hint')}
        value={value.firstWay}
        options={FIRST_WAYS.map((way) => ({ value: way, label: t(`login-page-setup.first-way.${way}`) }))}
        disabled={isFixed('firstWay')}
        onChange={(firstWay) => firstWay && set({ firstWay })}
      />
      <Languages value={value.languages} isFixed={isFixed('languages')} onChange={(languages) => set({ languages })} />
      <LoginPageLinks value={value.links} isFixed={isFixed('links')} onChange={(links) => set({ links })} />
      <fieldset>
        <legend>{t('login-page-setup.filings')}</legend>
        <TextField
          label={t('audit-field.icp')}
          name="changes.icp"
          hint={t('login-page-setup.icp-hint')}
          value={value.icp}
          maxLength={60}
          disabled={isFixed('icp')}
          isOptional
          onChange={(icp) => set({ icp })}
        />
        <TextField
          label={t('audit-field.publicSecurity')}
          name="changes.publicSecurity"
          hint={t('login-page-setup.public-security-hint')}
          value={value.publicSecurity}
          maxLength={60}
          disabled={isFixed('publicSecurity')}
          isOptional
          onChange={(publicSecurity) => set({ publicSecurity })}
        />
      </fieldset>
    </>
  )
}

type LanguagesProps = { value: ShippedLanguage[]; isFixed: boolean; onChange: (value: ShippedLanguage[]) => void }

/** In the order in which the login page offers them; one stays. */
function Languages({ value, isFixed, onChange }: LanguagesProps) {
  const { t } = useTranslation()
  const rows = [...value, ...SHIPPED_LANGUAGES.filter((language) => !value.includes(language))]
  const moveUp = (language: ShippedLanguage) => {
    const at = value.indexOf(language)
    onChange(value.toSpliced(at, 1).toSpliced(at - 1, 0, language))
  }
  const toggle = (language: ShippedLanguage, isOn: boolean) =>
    onChange(isOn ? [...value, language] : value.filter((one) => one !== language))
  return (
    <fieldset>
      <legend>{t('audit-field.languages')}</legend>
      <ul className="login-page-languages">
        {rows.map((language) => {
          const name = t(`preview.language.${language}`)
          const at = value.indexOf(language)
          return (
            <li key={language}>
              <Switch
                label={name}
                checked={at >= 0}
                disabled={isFixed || (at >= 0 && value.length === 1)}
                onChange={(isOn) => toggle(language, isOn)}
              />
              {at > 0 && !isFixed && (
                <button
                  type="button"
                  className="button button-quiet"
                  aria-label={t('login-page-setup.up-one', { name })}
                  onClick={() => moveUp(language)}
                >
                  {t('login-page-setup.up')}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
