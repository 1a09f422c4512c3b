import { useTranslation } from 'react-i18next'
import { type HomeBlock, type HomePageSettings, MAX_WELCOME_LENGTH } from '#shared/contract/home-page.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { OrderedSwitches } from '../../ui/OrderedSwitches.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'
import { BlockAudiences } from './BlockAudiences.tsx'
import { CarouselFields } from './CarouselFields.tsx'
import { LoginPageLinks } from './LoginPageLinks.tsx'

type Props = {
  value: HomePageSettings
  setByFile: readonly string[]
  onChange: (value: HomePageSettings) => void
}

/** Welcome text, search, order of the parts, links. */
export function HomePageFields({ value, setByFile, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<HomePageSettings>) => onChange({ ...value, ...change })
  const isFixed = (key: keyof HomePageSettings) => setByFile.includes(key)
  const { welcome, searchField, blocks, hidden, audiences, carousel, links } = value
  const toggle = (block: HomeBlock, isOn: boolean) => {
    const others = hidden.filter((one) => one !== block)
    set({ hidden: isOn || block === 'categories' ? others : [...others, block] })
  }
  return (
    <>
      <FixedByFile when={isFixed('welcome')}>
        <Welcome value={welcome} onChange={(next) => set({ welcome: next })} />
      </FixedByFile>
      <FixedByFile when={isFixed('searchField')}>
        <Switch
          label={t('audit-field.searchField')}
          hint={t('home-page-settings.search-hint')}
          checked={searchField}
          onChange={(isShown) => set({ searchField: isShown })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('blocks') || isFixed('hidden')}>
        <OrderedSwitches
          legend={t('audit-field.blocks')}
          hint={t('home-page-settings.blocks-hint')}
          rows={blocks.map((key) => ({
            key,
            label: t(`home-page-settings.block.${key}`),
            isOn: !hidden.some((one) => one === key),
            isFixed: key === 'categories',
          }))}
          onToggle={toggle}
          onMove={(next) => set({ blocks: next })}
        />
      </FixedByFile>
      <FixedByFile when={isFixed('audiences')}>
        <BlockAudiences blocks={blocks} value={audiences} onChange={(next) => set({ audiences: next })} />
      </FixedByFile>
      <FixedByFile when={isFixed('carousel')}>
        <CarouselFields value={carousel} onChange={(next) => set({ carousel: next })} />
      </FixedByFile>
      <FixedByFile when={isFixed('links')}>
        <LoginPageLinks value={links} onChange={(next) => set({ links: next })} />
      </FixedByFile>
    </>
  )
}

type WelcomeProps = { value: HomePageSettings['welcome']; onChange: (value: HomePageSettings['welcome']) => void }

function Welcome({ value, onChange }: WelcomeProps) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('audit-field.welcome')}</legend>
      <p className="muted">{t('home-page-settings.welcome-hint')}</p>
      {wordingLanguages().map((language) => (
        <TextField
          key={language}
          label={languageLabel(t, language)}
          name={`changes.welcome.${language}`}
          value={value[language] ?? ''}
          maxLength={MAX_WELCOME_LENGTH}
          isOptional
          onChange={(text) => {
            const { [language]: _, ...others } = value
            onChange(text === '' ? others : { ...others, [language]: text })
          }}
        />
      ))}
    </fieldset>
  )
}
