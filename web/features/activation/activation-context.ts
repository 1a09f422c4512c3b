import { createContext, type RefObject } from 'react'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'

/** The state that the page around the steps needs. */
export type ActivationPageState = {
  /** The activation can't continue, for this reason. */
  fail: (message: string) => void
  /** Why the page shows another step; null: dismissed. */
  notice: (message: string | null) => void
  /** The page has been shown: from now on a new step takes the focus. */
  isOpen: RefObject<boolean>
  /** Unsent input, kept when going back and forth. Never a password. */
  drafts: RefObject<Drafts>
}

type Drafts = { phone: string; mailbox: string; answers: SecurityAnswer[] | null }
export const emptyDrafts = (): Drafts => ({ phone: '', mailbox: '', answers: null })

export const ActivationContext = createContext<ActivationPageState>({
  fail: () => {},
  notice: () => {},
  isOpen: { current: false },
  drafts: { current: emptyDrafts() },
})
