import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { loginPropertyPageConfig } from '#shared/contract/appearance.ts'
import { reportActivity } from '#shared/contract/sessions.ts'
import { DEFAULT_EXPIRATION_MINUTES } from '#shared/contract/sign-in-policy.ts'
import { type CallOutput, call } from '../platform/api.ts'
import { startIdleTimer } from '../platform/idle-timer.ts'
import { dismissNotice, notify } from '../platform/notices.ts'
import { settingsQuery } from '../platform/queries.ts'
import { setStaySignedInHandler } from './stay-signed-in.ts'

/**
 * Runs the idle timer if the institution configured one. While the settings can't be read, says so and uses the default
 * limit: an unattended page must not stay open because of a failed request.
 */
export function IdleLogout() {
  const { data, failureReason } = useQuery(settingsQuery())
  const failure = data ? undefined : failureReason?.message
  const minutes = data ? idleMinutes(data) : failure === undefined ? null : DEFAULT_EXPIRATION_MINUTES
  useEffect(() => {
    if (failure === undefined) return
    const id = notify('danger', failure)
    return () => dismissNotice(id)
  }, [failure])
  useEffect(() => {
    if (minutes === null) return
    const watch = startIdleTimer({
      minutes,
      report: () => void call(reportActivity).catch(() => null),
      // Sent as a background call: the server finds the session idle and ends it.
      end: () => void call(reportActivity, {}, { background: true }).catch(() => null),
    })
    setStaySignedInHandler(watch.stay)
    return watch.stop
  }, [minutes])
  return null
}

const idleMinutes = ({ switchOfExpirationLogout, expirationMinutes }: CallOutput<typeof loginPropertyPageConfig>) =>
  switchOfExpirationLogout === '1' ? expirationMinutes : null
