import type { ReactNode } from 'react'
import './advice-line.css'

type Props = {
  title: string
  why: string
  /** The button. */
  children: ReactNode
}

/** The most useful next action, with its reason. */
export function AdviceLine({ title, why, children }: Props) {
  return (
    <section className="banner advice" aria-label={title}>
      <p>
        <strong>{title}</strong>
        <span className="muted">{why}</span>
      </p>
      {children}
    </section>
  )
}
