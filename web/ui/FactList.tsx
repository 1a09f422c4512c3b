import type { ReactNode } from 'react'

/** What is known of something, each with what it is called; a dash where there is nothing. */
export function FactList({ className, rows }: { className: string; rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={className}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}
