import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { notify } from '../../platform/notices.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { ChangePasswordFields, passwordRefusalTold } from './ChangePasswordFields.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useChangePassword, usePasswordPolicy } from './use-change-password.ts'

type Props = { user: UserInformation; onClose: () => void }

export function ChangePasswordDialog({ user, onClose }: Props) {
  const { t } = useTranslation()
  const policy = usePasswordPolicy()
  if (policy.data) return <Changing user={user} policy={policy.data} onClose={onClose} />
  return (
    <Dialog
      title={t('modify-password.title')}
      onClose={onClose}
      actions={
        <button type="button" className="button" onClick={onClose}>
          {t('action.cancel')}
        </button>
      }
    >
      {policy.isError ? (
        <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />
      ) : (
        <Waiting lines={5} />
      )}
    </Dialog>
  )
}

function Changing({ user, policy, onClose }: Props & { policy: PasswordPolicy }) {
  const { t } = useTranslation()
  const changing = useChangePassword({
    user,
    policy,
    onDone: (count) => {
      notify('well', `${t('modify-password.done')} ${t('modify-password.ended', { count })}`)
      onClose()
    },
  })
  const { change, isReady } = changing
  return (
    <FormDialog
      title={t('modify-password.title')}
      verb={t('modify-password.submit')}
      isBusy={change.isPending}
      isReady={isReady}
      error={change.error}
      told={passwordRefusalTold(change.error)}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <>
          <p className="muted">{t('modify-password.consequence')}</p>
          <ChangePasswordFields user={user} policy={policy} changing={changing} submitted={submitted} />
        </>
      )}
    </FormDialog>
  )
}
