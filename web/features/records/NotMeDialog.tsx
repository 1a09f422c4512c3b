import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AuthenticationRecord, disownLogin } from '#shared/contract/records.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

type Props = { login: AuthenticationRecord; name: string; onClose: () => void }

/** Somebody else may be logged in: first end all other logins, then change the password. */
export function NotMeDialog({ login, name, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const confirm = async () => {
    const { ended } = await call(disownLogin, { body: { id: login.id, loginTime: login.loginTime } })
    notify('well', t('records.not-me.done', { count: ended }))
    await queryClient.invalidateQueries()
    await navigate({ to: '/modify-password' })
  }
  return (
    <ConfirmDialog
      title={t('records.not-me.title')}
      verb={t('records.not-me.go')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <strong>{name}</strong>
      </p>
      <p>{t('records.not-me.text')}</p>
      <ol className="record-steps">
        <li>{t('records.not-me.step-end')}</li>
        <li>{t('records.not-me.step-password')}</li>
      </ol>
    </ConfirmDialog>
  )
}
