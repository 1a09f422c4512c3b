import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listApplications, type ManagedApplication } from '#shared/contract/application-manage.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { EffectiveAccess } from './EffectiveAccess.tsx'

type Props = {
  /** One of the two is fixed. */
  of: { userId: string } | { applicationId: string }
  onClose: () => void
}

/** Checks a person for an application, or an application for a person. */
export function CheckAccessDialog({ of, onClose }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<readonly PickerOption[]>([])
  const id = chosen[0]?.id
  return (
    <Dialog title={t('access.check.title')} onClose={onClose}>
      <div className="why-dialog">
        {'userId' in of ? (
          <Picker<ManagedApplication>
            label={t('access.check.application')}
            endpoint={listApplications}
            toOption={(app) => ({ id: app.id, label: app.name, hint: app.appId })}
            value={chosen}
            onChange={setChosen}
          />
        ) : (
          <Picker label={t('access.check.person')} {...PERSON_PICKER} value={chosen} onChange={setChosen} />
        )}
        {/* Rendered before the answer: a live region that appears together with its content is not announced. */}
        <div aria-live="polite">
          {id && (
            <EffectiveAccess
              userId={'userId' in of ? of.userId : id}
              applicationId={'userId' in of ? id : of.applicationId}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}
