import { useRef, useState } from 'react'
import { tellLeftFailure, useGone } from './left-request.ts'
import { useSlow } from './use-slow.ts'

type Options = { title: string; isAwaited?: boolean; onClose: () => void }
type State = { busy: boolean; error?: unknown }

/**
 * The request of a dialog. While it is young the dialog stays, so that a refusal finds it; when it lasts the dialog may be left, and a
 * refusal is told on the page.
 */
export function useDialogRequest({ title, isAwaited = false, onClose }: Options) {
  const [state, setState] = useState<State>({ busy: false })
  const isSlow = useSlow(state.busy)
  const gone = useGone()
  const hasLeft = useRef(false)
  return {
    state,
    setState,
    /** Closing has to wait. */
    isHeld: state.busy && (isAwaited || !isSlow),
    run: async (request: () => Promise<unknown>) => {
      if (state.busy) return
      setState({ busy: true })
      try {
        await request()
        // Something else may be open by now.
        if (!hasLeft.current) onClose()
      } catch (error) {
        setState({ busy: false, error })
        if (gone.current) tellLeftFailure(title, error)
      }
    },
    leave: () => {
      hasLeft.current = true
      onClose()
    },
  }
}
