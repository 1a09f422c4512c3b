import { useTranslation } from 'react-i18next'
import { cancelAdministrator, setAdministrator } from '#shared/contract/user-verbs.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { refreshPeople } from './people-queries.ts'

type Props = { person: UserDetails; what: 'set_administrator' | 'cancel_administrator'; onClose: () => void }

/** Makes somebody a super user, or removes that. */
export function SuperUserDialog({ person, what, onClose }: Props) {
  const { t } = useTranslation()
  const { id } = person
  const name = t('person.named', person)
  const confirm = async () => {
    await call(what === 'set_administrator' ? setAdministrator : cancelAdministrator, { query: { id }, body: {} })
    notify('well', t(`person.done.${what}`, { name }))
    await refreshPeople()
  }
  return (
    <ConfirmDialog
      title={t(`person.ask.${what}`, { name })}
      verb={t(`person.verb.${what}`)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(`person.effect.${what}`)}</p>
    </ConfirmDialog>
  )
}
