import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportActivity } from '#shared/contract/sessions.ts'
import { call } from '../platform/api.ts'
import { watchIdleness } from '../platform/idle-timer.ts'
import { settingsQuery } from '../platform/queries.ts'
import { setStay } from './stay.ts'

/** Runs the idle timer while the institution wants one. */
export function IdleWatch() {
  const { data } = useQuery(settingsQuery())
  const minutes = data?.switchOfExpirationLogout === '1' ? data.expirationMinutes : null
  useEffect(() => {
    if (minutes === null) return
    const watch = watchIdleness({
      minutes,
      report: () => void call(reportActivity).catch(() => null),
      // Asks as the page, not as the person: the server finds the session idle and ends it.
      end: () => void call(reportActivity, {}, { background: true }).catch(() => null),
    })
    setStay(watch.stay)
    return watch.stop
  }, [minutes])
  return null
}
