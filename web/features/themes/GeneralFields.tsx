import { useTranslation } from 'react-i18next'
import { withBrandColour } from '#shared/rules/brand-palette.ts'
import { NamesFields } from '../../ui/NamesFields.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { ColourField } from './ColourField.tsx'
import { RangeField } from './RangeField.tsx'
import type { ThemeDraft } from './theme-queries.ts'

type Props = { draft: ThemeDraft; onChange: (change: Partial<ThemeDraft>) => void }

/** What most people change, and nothing else: name, brand colour, corners, grey. */
export function GeneralFields({ draft: { name, names, draft }, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('login-topic.general')}</legend>
      <TextField
        label={t('login-topic.name')}
        name="name"
        value={name}
        maxLength={100}
        onChange={(text) => onChange({ name: text })}
      />
      <details className="theme-names">
        <summary>{t('login-topic.names')}</summary>
        <div>
          <NamesFields names={names} onChange={(next) => onChange({ names: next })} />
        </div>
      </details>
      <ColourField
        label={t('login-topic.brand')}
        hint={t('login-topic.brand-hint')}
        value={draft.light.primary}
        onChange={(colour) => onChange({ draft: withBrandColour(draft, colour) })}
      />
      <RangeField
        label={t('login-topic.radius')}
        value={draft.radius}
        most={16}
        unit="px"
        onChange={(radius) => onChange({ draft: { ...draft, radius } })}
      />
      <Switch
        label={t('login-topic.grey')}
        hint={t('login-topic.grey-hint')}
        checked={draft.effect === 'grey'}
        onChange={(isGrey) => onChange({ draft: { ...draft, effect: isGrey ? 'grey' : 'none' } })}
      />
    </fieldset>
  )
}
