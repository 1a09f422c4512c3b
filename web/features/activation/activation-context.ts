import { createContext, type RefObject } from 'react'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'

/** What the page around the steps has to know of them. */
export type ActivationPageState = {
  /** There is nothing to go on with, and why. */
  fail: (message: string) => void
  /** The page now shows another step, and why; null: that is read. */
  notice: (message: string | null) => void
  /** The page is open: from now on a new step takes the focus. */
  isOpen: RefObject<boolean>
  /** What was typed and not sent: going back and forth loses nothing. Never a password. */
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
