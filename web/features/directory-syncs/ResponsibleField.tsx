import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'

type Props = { edited: Pick<DirectorySync, 'responsible'> | null; onChange: (ids: string[]) => void }

/** Who is told when a run waits or fails. */
export function ResponsibleField({ edited, onChange }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<PickerOption[]>(
    () => edited?.responsible.map(({ id, account, name }) => ({ id, label: `${name} (${account})` })) ?? [],
  )
  return (
    <Picker
      label={t('directory-sync.responsible')}
      name="responsibleIds"
      hint={t('directory-sync.responsible-hint')}
      multiple
      isOptional
      {...PERSON_PICKER}
      value={chosen}
      onChange={(next) => {
        setChosen(next)
        onChange(next.map(({ id }) => id))
      }}
    />
  )
}
