import { useTranslation } from 'react-i18next'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { DEFAULT_METHODS, LOGIN_LAYOUTS, type LoginBlock, type LoginPageSettings } from '#shared/contract/login-page.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { OrderedSwitches } from '../../ui/OrderedSwitches.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { LoginPageLinks } from './LoginPageLinks.tsx'

type Props = {
  value: LoginPageSettings
  setByFile: readonly string[]
  onChange: (value: LoginPageSettings) => void
}

/** Position of the form, first login method, languages, links and filing numbers. */
export function LoginPageFields({ value, setByFile, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<LoginPageSettings>) => onChange({ ...value, ...change })
  const isFixed = (key: keyof LoginPageSettings) => setByFile.includes(key)
  return (
    <>
      <FixedByFile when={isFixed('layout')}>
        <RadioCards
          legend={t('audit-field.layout')}
          value={value.layout}
          options={LOGIN_LAYOUTS.map((layout) => ({ value: layout, label: t(`login-page-setup.layout.${layout}`) }))}
          onChange={(layout) => set({ layout })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('slogan')}>
        <Switch
          label={t('audit-field.slogan')}
          hint={t('login-page-setup.slogan-hint')}
          checked={value.slogan}
          onChange={(slogan) => set({ slogan })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('defaultMethod')}>
        <SelectField
          label={t('audit-field.defaultMethod')}
          hint={t('login-page-setup.default-method-hint')}
          value={value.defaultMethod}
          options={DEFAULT_METHODS.map((method) => ({
            value: method,
            label: t(`login-page-setup.default-method.${method}`),
          }))}
          onChange={(defaultMethod) => defaultMethod && set({ defaultMethod })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('blocks') || isFixed('hidden')}>
        <Blocks value={value} onChange={set} />
      </FixedByFile>
      <FixedByFile when={isFixed('qrFirst')}>
        <Switch
          label={t('audit-field.qrFirst')}
          hint={t('login-page-setup.qr-first-hint')}
          checked={value.qrFirst}
          onChange={(qrFirst) => set({ qrFirst })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('languages')}>
        <Languages value={value.languages} onChange={(languages) => set({ languages })} />
      </FixedByFile>
      <FixedByFile when={isFixed('links')}>
        <LoginPageLinks value={value.links} onChange={(links) => set({ links })} />
      </FixedByFile>
      <Filings value={value} isFixed={isFixed} onChange={set} />
    </>
  )
}

const FILINGS = [
  { key: 'icp', hint: 'login-page-setup.icp-hint' },
  { key: 'publicSecurity', hint: 'login-page-setup.public-security-hint' },
] as const

type FilingsProps = Pick<Props, 'value'> & {
  isFixed: (key: keyof LoginPageSettings) => boolean
  onChange: (change: Partial<LoginPageSettings>) => void
}

function Filings({ value, isFixed, onChange }: FilingsProps) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('login-page-setup.filings')}</legend>
      {FILINGS.map(({ key, hint }) => (
        <FixedByFile key={key} when={isFixed(key)}>
          <TextField
            label={t(`audit-field.${key}`)}
            name={`changes.${key}`}
            hint={t(hint)}
            value={value[key]}
            maxLength={60}
            isOptional
            onChange={(text) => onChange({ [key]: text })}
          />
        </FixedByFile>
      ))}
    </fieldset>
  )
}

type LanguagesProps = { value: ShippedLanguage[]; onChange: (value: ShippedLanguage[]) => void }

/** In the order of the login page; at least one remains. */
function Languages({ value, onChange }: LanguagesProps) {
  const { t } = useTranslation()
  const all = [...value, ...SHIPPED_LANGUAGES.filter((language) => !value.includes(language))]
  return (
    <OrderedSwitches
      legend={t('audit-field.languages')}
      rows={all.map((key) => {
        const isOn = value.includes(key)
        return { key, label: t(`preview.language.${key}`), isOn, canMove: isOn, isFixed: isOn && value.length === 1 }
      })}
      onToggle={(key, isOn) => onChange(isOn ? [...value, key] : value.filter((one) => one !== key))}
      onMove={(keys) => onChange(keys.filter((key) => value.includes(key)))}
    />
  )
}

type BlocksProps = Pick<Props, 'value'> & {
  onChange: (change: Partial<Pick<LoginPageSettings, 'blocks' | 'hidden'>>) => void
}

/** The parts of the page. The form and the other login methods can't both be hidden. */
function Blocks({ value: { blocks, hidden }, onChange }: BlocksProps) {
  const { t } = useTranslation()
  const needed: Partial<Record<LoginBlock, LoginBlock>> = { form: 'otherMethods', otherMethods: 'form' }
  return (
    <OrderedSwitches
      legend={t('audit-field.blocks')}
      hint={t('login-page-setup.blocks-hint')}
      rows={blocks.map((key) => {
        const other = needed[key]
        const isFixed = other !== undefined && hidden.includes(other)
        return { key, label: t(`login-page-setup.block.${key}`), isOn: !hidden.includes(key), isFixed }
      })}
      onToggle={(key, isOn) => onChange({ hidden: isOn ? hidden.filter((one) => one !== key) : [...hidden, key] })}
      onMove={(next) => onChange({ blocks: next })}
    />
  )
}
