import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { refusalAbout } from '../../platform/refusal.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { ChangingPassword } from './use-change-password.ts'

type Props = { user: UserInformation; policy: PasswordPolicy; changing: ChangingPassword; submitted: boolean }

/** Refusals that a field of these says. */
export const passwordRefusalTold = (error: Error | null): boolean => refusalAbout(error, 'password.') !== undefined

/** The old password, then the new one twice with its rules in sight. */
export function ChangePasswordFields({ user, policy, changing, submitted }: Props) {
  const { t } = useTranslation()
  const { oldPassword, setOldPassword, value, setValue, ownWords, change } = changing
  const ofOld = refusalAbout(change.error, 'password.old-wrong', 'password.too-many-attempts')
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
        error={ofOld ? undefined : refusalAbout(change.error, 'password.')}
        submitted={submitted}
        onChange={setValue}
      />
    </>
  )
}
