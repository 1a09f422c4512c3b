import { useTranslation } from 'react-i18next'
import type { Palette, Scheme } from '#shared/rules/design-tokens.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { SchemeSwitch } from '../../ui/SchemeSwitch.tsx'
import { ColourField } from './ColourField.tsx'

/** The colours, grouped by what people see. */
const GROUPS: readonly { name: 'surfaces' | 'words' | 'actions' | 'states'; colours: readonly (keyof Palette)[] }[] = [
  { name: 'actions', colours: ['primary', 'primaryHover', 'onPrimary', 'tint', 'focus', 'brick'] },
  { name: 'surfaces', colours: ['ground', 'card', 'hairline', 'fieldBorder'] },
  { name: 'words', colours: ['ink', 'muted'] },
  { name: 'states', colours: ['danger', 'dangerTint', 'well', 'wellTint', 'caution', 'cautionTint'] },
]

type Props = {
  design: ThemeDesign
  scheme: Scheme
  onScheme: (scheme: Scheme) => void
  onChange: (change: Partial<Record<Scheme, Palette>>) => void
}

/** Every named colour of one of the two schemes. */
export function ColourFields({ design, scheme, onScheme, onChange }: Props) {
  const { t } = useTranslation()
  const palette = design[scheme]
  return (
    <fieldset>
      <legend>{t('login-topic.colours')}</legend>
      <SchemeSwitch scheme={scheme} onChange={onScheme} />
      {GROUPS.map(({ name, colours }) => (
        <details key={name} className="colour-group">
          <summary>
            {t(`login-topic.group.${name}`)}
            <span className="swatches" aria-hidden="true">
              {colours.map((colour) => (
                <span key={colour} style={{ background: palette[colour] }} />
              ))}
            </span>
          </summary>
          <div className="colour-grid">
            {colours.map((colour) => (
              <ColourField
                key={`${scheme} ${colour}`}
                label={t(`theme-colour.${colour}`)}
                value={palette[colour]}
                onChange={(value) => onChange({ [scheme]: { ...palette, [colour]: value } })}
              />
            ))}
          </div>
        </details>
      ))}
    </fieldset>
  )
}
