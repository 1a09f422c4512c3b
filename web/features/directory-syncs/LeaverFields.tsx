import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DirectorySyncFields, LEAVER_ACTIONS } from '#shared/contract/directory-syncs.ts'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'
import type { PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { WholeNumberField } from './WholeNumberField.tsx'

type Leavers = DirectorySyncFields['leavers']
type Props = {
  value: Leavers
  /** The name of the department selected so far. */
  department: string | null
  onChange: (value: Leavers) => void
}

/** What happens to people whom the source no longer has. */
export function LeaverFields({ value, department, onChange }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<PickerOption[]>(
    value.organizationId ? [{ id: value.organizationId, label: department ?? '' }] : [],
  )
  const set = (change: Partial<Leavers>) => onChange({ ...value, ...change })
  const number = (name: 'runs' | 'days' | 'graceDays') => (
    <WholeNumberField
      label={t(`directory-sync.leaver-${name}`)}
      name={`leavers.${name}`}
      value={value[name]}
      onChange={(next) => set({ [name]: next })}
    />
  )
  return (
    <fieldset className="sync-fieldset">
      <legend>{t('directory-sync.leaver')}</legend>
      <p className="muted">{t('directory-sync.leaver-hint')}</p>
      <div className="sync-grid">
        <SelectField
          label={t('directory-sync.leaver-action')}
          name="action"
          value={value.action}
          options={LEAVER_ACTIONS.map((action) => ({ value: action, label: t(`directory-sync.leaver.${action}`) }))}
          onChange={(action) => action && set({ action })}
        />
        {value.action !== 'none' && (
          <>
            {number('runs')}
            {number('days')}
          </>
        )}
        {value.action === 'end-date' && number('graceDays')}
        {value.action === 'move' && (
          <OrganizationPicker
            label={t('directory-sync.leaver-department')}
            name="organizationId"
            value={chosen}
            onChange={(next) => {
              setChosen(next)
              set({ organizationId: next[0]?.id ?? null })
            }}
          />
        )}
      </div>
    </fieldset>
  )
}
