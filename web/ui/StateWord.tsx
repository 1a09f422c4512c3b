import type { ReactNode } from 'react'

export type Tone = 'well' | 'caution' | 'danger' | 'primary' | 'quiet'

/** How something stands: the word that says it, and a dot in the colour of what it means. */
export function StateWord({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`state-word state-${tone}`}>
      <span className="dot" aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
