import { useTranslation } from 'react-i18next'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { refusalAbout } from './account-security.ts'
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
      {/* For password managers, which keep a new password under the name beside it. */}
      <input
        type="text"
        className="visually-hidden"
        autoComplete="username"
        value={user.account}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
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
