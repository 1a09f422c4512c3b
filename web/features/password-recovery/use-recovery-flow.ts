import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recovery, RecoveryMethod } from '#shared/contract/password-recovery.ts'
import { isRefusal } from '../../platform/refusal.ts'

export type CodeMethod = Exclude<RecoveryMethod, 'questions'>

/** The current step. Input is kept when going back, so that nothing is asked twice. */
export type RecoveryPosition =
  | { step: 'who' }
  | { step: 'method' }
  | { step: 'answers' }
  /** `answered`: the token of the correct answers, if they came first. */
  | { step: 'code'; method: CodeMethod; answered?: string }
  /** Correct answers need a code as well: choose where to send it. */
  | { step: 'target'; answered: string }
  | { step: 'password'; method: RecoveryMethod; proof: string }

export type AccountInput = { account: string; name: string }

export type RecoveryFlow = {
  typed: AccountInput
  recovery: Recovery | null
  place: RecoveryPosition
  /** The step has changed: the heading takes the focus. */
  hasMoved: boolean
  /** Why the recovery had to be restarted. */
  over: string | null
  type(typed: AccountInput): void
  begun(recovery: Recovery): void
  goTo(place: RecoveryPosition): void
  startOver(reason: string | null): void
}

export function useRecoveryFlow(): RecoveryFlow {
  const [typed, type] = useState<AccountInput>({ account: '', name: '' })
  const [recovery, setRecovery] = useState<Recovery | null>(null)
  const [place, setPlace] = useState<RecoveryPosition>({ step: 'who' })
  const [hasMoved, setMoved] = useState(false)
  const [over, setOver] = useState<string | null>(null)
  const goTo = (next: RecoveryPosition) => {
    setMoved(true)
    setPlace(next)
  }
  return {
    typed,
    recovery,
    place,
    hasMoved,
    over,
    type,
    goTo,
    begun(next) {
      setOver(null)
      setRecovery(next)
      goTo({ step: 'method' })
    },
    startOver(reason) {
      setOver(reason)
      setRecovery(null)
      goTo({ step: 'who' })
    },
  }
}

/** One call of the recovery; if it has expired, returns to the start and says why. */
export function useRecoveryCall<T>(walk: RecoveryFlow, onSuccess: (answer: T) => void) {
  return useMutation({
    mutationFn: (make: () => Promise<T>) => make(),
    onSuccess,
    onError: (error) => {
      if (isRefusal(error, 'password-recovery.expired')) walk.startOver(error.message)
    },
  })
}
