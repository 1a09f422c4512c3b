import { useTranslation } from 'react-i18next'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { FIRST_WAYS, LOGIN_LAYOUTS, type LoginBlock, type LoginPageSettings } from '#shared/contract/login-page.ts'
import { OrderedSwitches } from '../../ui/OrderedSwitches.tsx'
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

/** Position of the form, first login method, languages, links and filing numbers. */
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
      <Blocks value={value} isFixed={isFixed('blocks') || isFixed('hidden')} onChange={set} />
      <Switch
        label={t('audit-field.qrFirst')}
        hint={t('login-page-setup.qr-first-hint')}
        checked={value.qrFirst}
        disabled={isFixed('qrFirst')}
        onChange={(qrFirst) => set({ qrFirst })}
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

/** In the order of the login page; at least one remains. */
function Languages({ value, isFixed, onChange }: LanguagesProps) {
  const { t } = useTranslation()
  const all = [...value, ...SHIPPED_LANGUAGES.filter((language) => !value.includes(language))]
  return (
    <OrderedSwitches
      legend={t('audit-field.languages')}
      disabled={isFixed}
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
  isFixed: boolean
  onChange: (change: Partial<Pick<LoginPageSettings, 'blocks' | 'hidden'>>) => void
}

/** The parts of the page. The form and the other login methods can't both be hidden. */
function Blocks({ value: { blocks, hidden }, isFixed, onChange }: BlocksProps) {
  const { t } = useTranslation()
  const needed: Partial<Record<LoginBlock, LoginBlock>> = { form: 'otherWays', otherWays: 'form' }
  return (
    <OrderedSwitches
      legend={t('audit-field.blocks')}
      hint={t('login-page-setup.blocks-hint')}
      disabled={isFixed}
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
