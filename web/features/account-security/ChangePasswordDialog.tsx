import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { notify } from '../../platform/notices.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { usePasswordPolicy } from '../../ui/use-new-password.ts'
import { ChangePasswordFields, isPasswordFieldError } from './ChangePasswordFields.tsx'
import { useChangePassword } from './use-change-password.ts'

type Props = { user: UserInformation; onClose: () => void }

export function ChangePasswordDialog({ user, onClose }: Props) {
  const { t } = useTranslation()
  const policy = usePasswordPolicy()
  if (policy.data) return <ChangePasswordFormDialog user={user} policy={policy.data} onClose={onClose} />
  return (
    <Dialog title={t('modify-password.title')} onClose={onClose} actions={<LeaveButton onLeave={onClose} />}>
      <PolicyGate>{() => null}</PolicyGate>
    </Dialog>
  )
}

function ChangePasswordFormDialog({ user, policy, onClose }: Props & { policy: PasswordPolicy }) {
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
    <SubmitDialog
      title={t('modify-password.title')}
      verb={t('modify-password.submit')}
      isBusy={change.isPending}
      isReady={isReady}
      error={change.error}
      told={isPasswordFieldError(change.error)}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <>
          <p className="muted">{t('modify-password.consequence')}</p>
          <ChangePasswordFields user={user} policy={policy} changing={changing} submitted={submitted} />
        </>
      )}
    </SubmitDialog>
  )
}
