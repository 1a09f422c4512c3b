import i18next from 'i18next'
import { type RefObject, useEffect, useRef } from 'react'
import { failureText } from '../platform/failure-text.ts'
import { notify } from '../platform/notices.ts'
import { queryClient } from '../platform/queries.ts'

/** Has the component gone? Read when a request of it is answered. */
export function useGone(): RefObject<boolean> {
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return gone
}

/** Says that a request failed whose form was left meanwhile; without an answer it may have been done, so the page is read anew. */
export function tellLeftFailure(title: string, error: unknown): void {
  const reason = failureText(error)
  notify('danger', i18next.t('form.left-failed', { title, reason }))
  void queryClient.invalidateQueries()
}
