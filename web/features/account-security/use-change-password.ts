import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type PasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { storeSession } from '../../platform/session.ts'
import { useNewPassword } from '../../ui/use-new-password.ts'
import { refreshSecurity } from './security-queries.ts'

type ChangePasswordOptions = { user: UserInformation; policy: PasswordPolicy; onDone: (endedLogins: number) => void }

/** The form state of a password change and its call; the session continues with the token of the answer. */
export function useChangePassword({ user, policy, onDone }: ChangePasswordOptions) {
  const [oldPassword, setOldPassword] = useState('')
  const { isReadyFor, ...typed } = useNewPassword([user.account, user.name])
  const body = { oldPassword, newPassword: typed.value.password }
  const change = useMutation({
    mutationFn: () => call(updatePassword, { query: { id: user.userId }, body }),
    onSuccess: ({ token, ended }) => {
      storeSession(token, { ...user, firstLogin: '0' })
      void refreshSecurity()
      onDone(ended)
    },
  })
  return { ...typed, oldPassword, setOldPassword, change, isReady: oldPassword !== '' && isReadyFor(policy) }
}

export type ChangePasswordForm = ReturnType<typeof useChangePassword>
