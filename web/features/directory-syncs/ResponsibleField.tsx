import { useTranslation } from 'react-i18next'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { Picker } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { labelOf } from './sync-conflict.ts'
import { usePickedOptions } from './use-picked-options.ts'

type Props = {
  loaded: Pick<DirectorySync, 'responsible'> | null
  draft: { responsibleIds: readonly string[] }
  set: (change: { responsibleIds: string[] }) => void
}

/** Who is notified if a run waits or fails. */
export function ResponsibleField({ loaded, draft, set }: Props) {
  const { t } = useTranslation()
  const read = loaded?.responsible.map((one) => ({ id: one.id, label: labelOf(one) })) ?? []
  return (
    <Picker
      label={t('directory-sync.responsible')}
      name="responsibleIds"
      hint={t('directory-sync.responsible-hint')}
      multiple
      isOptional
      {...PERSON_PICKER}
      {...usePickedOptions(draft.responsibleIds, read, (responsibleIds) => set({ responsibleIds }))}
    />
  )
}
