import type { ReactNode } from 'react'

export type Tone = 'well' | 'caution' | 'danger' | 'primary' | 'quiet'

/** A state as a word with a coloured dot. */
export function StateWord({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`state-word state-${tone}`}>
      <span className="dot" aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
