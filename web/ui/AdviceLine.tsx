import type { ReactNode } from 'react'
import './advice-line.css'

type Props = {
  title: string
  why: string
  /** The one thing to press. */
  children: ReactNode
}

/** The single most useful next thing to do, with its reason. */
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
