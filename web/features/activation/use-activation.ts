import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { type Activation, queryActivation } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { storeActivation } from '../../platform/session.ts'
import { ActivationContext } from './activation-context.ts'

/** The activation in progress in this browser; every answer updates it, so it is refetched only after an error. */
export const activationQuery = () =>
  queryOptions({
    queryKey: ['activation'],
    queryFn: ({ signal }) => call(queryActivation, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Stores the newest state of the activation, or clears it. */
export function useSetActivation(): (activation: Activation | null) => void {
  const client = useQueryClient()
  return (activation) => {
    storeActivation(activation !== null && !activation.isComplete)
    client.setQueryData(activationQuery().queryKey, (before) => before && { ...before, activation })
  }
}

type Options = {
  onDone?: () => void
  /** The final call: a conflict with another person can't be shown in its form any more. */
  isLast?: boolean
}

/**
 * Submits a step and stores the new state. Some refusals concern the page rather than the step: expired, overtaken by
 * another tab, an earlier step to be repeated.
 */
export function useStepMutation({ onDone, isLast = false }: Options = {}) {
  const client = useQueryClient()
  const store = useSetActivation()
  const pageState = useContext(ActivationContext)
  const take = useMutation({
    mutationFn: (make: () => Promise<Activation>) => make(),
    onSuccess: (activation) => {
      pageState.notice(null)
      onDone?.()
      store(activation)
    },
    onError: (error) => {
      if (!isRefusal(error)) return
      if (ENDED_CODES.has(error.code)) {
        store(null)
        pageState.fail(error.message)
      }
      if (STALE_CODES.has(error.code) || (isLast && REOPENING.test(error.code))) {
        pageState.notice(error.message)
        void client.invalidateQueries(activationQuery())
      }
    },
  })
  const isStale = isRefusal(take.error) && STALE_CODES.has(take.error.code)
  return { ...take, error: isStale ? null : take.error }
}

const ENDED_CODES = new Set(['activation.over', 'activation.expired'])
/** What somebody else has by now, or the rules refuse by now. */
const REOPENING = /-taken$|^account-field\.|^alias\.|^profile\./
/** The plan is another one by now: a step was taken in another tab, or a rule demands one more. */
const STALE_CODES = new Set(['activation.out-of-step', 'activation.step-required'])
