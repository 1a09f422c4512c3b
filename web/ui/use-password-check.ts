import { useEffect, useState } from 'react'
import { checkPassword, type PasswordPolicy, type PasswordSubject } from '#shared/contract/passwords.ts'
import type { PasswordRule } from '#shared/rules/password-strength.ts'
import { call } from '../platform/api.ts'

const PAUSE_MS = 300

/** The server's result: the broken rules, `pending` while waiting, `unknown` when it can't be asked. */
export type PasswordCheckResult = readonly PasswordRule[] | 'pending' | 'unknown'

/**
 * Checks a password on the server once typing pauses. Only one that passes the page's own rules is sent, as when it is
 * set, and not cached.
 * @returns `held`: the demands on this person, once known.
 */
export function usePasswordCheck(
  password: string,
  subject: PasswordSubject,
  isWorthAsking: boolean,
): { judgement: PasswordCheckResult; held: PasswordPolicy | null } {
  const [answer, setAnswer] = useState<{ about: string; judgement: PasswordCheckResult } | null>(null)
  const [held, setHeld] = useState<PasswordPolicy | null>(null)
  const about = JSON.stringify([password, subject])
  useEffect(() => {
    if (!isWorthAsking) return
    const leaving = new AbortController()
    const ask = async (): Promise<PasswordCheckResult> => {
      const [candidate, whose] = JSON.parse(about) as [string, PasswordSubject]
      const body = { password: candidate, subject: whose }
      const { rules, policy } = await call(checkPassword, { body }, { signal: leaving.signal })
      if (!leaving.signal.aborted) setHeld(policy)
      return rules
    }
    const timer = setTimeout(async () => {
      const judgement = await ask().catch(() => 'unknown' as const)
      if (!leaving.signal.aborted) setAnswer({ about, judgement })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [about, isWorthAsking])
  return { judgement: isWorthAsking && answer?.about === about ? answer.judgement : 'pending', held }
}
