import { useBlocker } from '@tanstack/react-router'
import { LeaveDialog } from './LeaveDialog.tsx'

type Props = { when: boolean; what?: 'unsaved' | 'uncopied' }

/** While `when` is true nobody leaves the page by accident: a link asks first, and so does the browser. */
export function UnsavedGuard({ when, what = 'unsaved' }: Props) {
  const blocker = useBlocker({
    // A search or a tab of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return <LeaveDialog what={what} onLeave={blocker.proceed} onStay={blocker.reset} />
}
