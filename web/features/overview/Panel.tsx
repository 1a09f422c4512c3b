import { type ReactNode, useId } from 'react'

type Props = { title: string; note?: ReactNode; isWide?: boolean; children: ReactNode }

/** A card of the overview. */
export function Panel({ title, note, isWide = false, children }: Props) {
  const id = useId()
  return (
    <section className={isWide ? 'card overview-card overview-wide' : 'card overview-card'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span className="muted">{note}</span>}
      </header>
      {children}
    </section>
  )
}
