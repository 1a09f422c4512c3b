import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LeaveDialog } from './LeaveDialog.tsx'

const KEEPERS = { unsaved: ['open'], saving: ['open'], uncopied: ['open', 'tab'] } as const

const valueIn = ({ search }: { search: unknown }, name: string): unknown => (search as Record<string, unknown>)[name]

type Props = {
  when: boolean
  what?: keyof typeof KEEPERS
  /** The input is lost with its tab. */
  isOfTab?: boolean
  /** It is kept as long as the page is, whatever is open at its side. */
  isOfPage?: boolean
}

/** While `when` is true nobody leaves the page by accident: a link asks first, and so does the browser. */
export function UnsavedGuard({ when, what = 'unsaved', isOfTab = false, isOfPage = false }: Props) {
  const keepers = isOfPage ? [] : [...KEEPERS[what], ...(isOfTab ? ['tab'] : [])]
  const blocker = useBlocker({
    // A changed query of the same page loses nothing, except the form in a drawer and the secret in a tab.
    shouldBlockFn: ({ current, next }) =>
      when &&
      (current.pathname !== next.pathname || keepers.some((name) => valueIn(current, name) !== valueIn(next, name))),
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  const { status, proceed } = blocker
  useEffect(() => {
    // Saved in the meantime: nothing is lost any more.
    if (status === 'blocked' && !when) proceed()
  }, [status, when, proceed])
  if (blocker.status !== 'blocked') return null
  return <LeaveDialog what={what} onLeave={blocker.proceed} onStay={blocker.reset} />
}
