import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PasswordPolicy, queryPasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { storeSession } from '../../platform/session.ts'
import { isNewPasswordReady } from '../../ui/NewPassword.tsx'
import { refreshSecurity } from './account-security.ts'

export const usePasswordPolicy = () =>
  useQuery({ queryKey: ['password-policy'], queryFn: ({ signal }) => call(queryPasswordPolicy, {}, { signal }) })

type Changing = { user: UserInformation; policy: PasswordPolicy; onDone: (endedLogins: number) => void }

/** What is typed to change a password, and the call that does it; the session goes on with the token of the answer. */
export function useChangePassword({ user, policy, onDone }: Changing) {
  const [oldPassword, setOldPassword] = useState('')
  const [value, setValue] = useState({ password: '', repeated: '' })
  const ownWords = [user.account, user.name]
  const change = useMutation({
    mutationFn: () =>
      call(updatePassword, { query: { id: user.userId }, body: { oldPassword, newPassword: value.password } }),
    onSuccess: ({ token, ended }) => {
      storeSession(token, { ...user, firstLogin: '0' })
      void refreshSecurity()
      onDone(ended)
    },
  })
  return {
    oldPassword,
    setOldPassword,
    value,
    setValue,
    ownWords,
    change,
    isReady: oldPassword !== '' && isNewPasswordReady(value, policy, ownWords),
  }
}

export type ChangingPassword = ReturnType<typeof useChangePassword>
