import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { ChangePasswordForm } from './use-change-password.ts'

type Props = { user: UserInformation; policy: PasswordPolicy; changing: ChangePasswordForm; submitted: boolean }

/** Is the refusal shown at one of these fields? */
export const isPasswordFieldError = (error: Error | null): boolean => refusalMessage(error, 'password.') !== undefined

/** The current password, then the new one twice with its rules. */
export function ChangePasswordFields({ user, policy, changing, submitted }: Props) {
  const { t } = useTranslation()
  const { oldPassword, setOldPassword, value, setValue, ownWords, change } = changing
  const ofOld = refusalMessage(change.error, 'password.old-wrong', 'password.too-many-attempts')
  const isMissing = submitted && oldPassword === ''
  return (
    <>
      <ManagerName account={user.account} />
      <PasswordField
        label={t('password.old')}
        value={oldPassword}
        autoComplete="current-password"
        error={isMissing ? t('password.old-missing') : ofOld}
        firstFocus
        onChange={(typed) => {
          setOldPassword(typed)
          change.reset()
        }}
      />
      <NewPassword
        value={value}
        rules={policy}
        history={policy.passwordHistory}
        ownWords={ownWords}
        subject={{ kind: 'session' }}
        error={ofOld ? undefined : refusalMessage(change.error, 'password.')}
        submitted={submitted}
        onChange={setValue}
      />
    </>
  )
}
