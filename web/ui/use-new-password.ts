import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PasswordPolicy, queryPasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../platform/api.ts'
import { isNewPasswordReady, type NewPasswordValue } from './NewPassword.tsx'

export const usePasswordPolicy = () =>
  useQuery({ queryKey: ['password-policy'], queryFn: ({ signal }) => call(queryPasswordPolicy, {}, { signal }) })

/** The state of a new-password input. @param ownWords account, name and the like, which must not be in it. */
export function useNewPassword(ownWords: readonly string[]) {
  const [value, setValue] = useState<NewPasswordValue>({ password: '', repeated: '' })
  const isReadyFor = (rules: PasswordPolicy): boolean => isNewPasswordReady(value, rules, ownWords)
  return { ownWords, value, setValue, isReadyFor }
}
