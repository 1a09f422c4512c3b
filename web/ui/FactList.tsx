import type { ReactNode } from 'react'
import { Value } from './Value.tsx'

/** Labels and values; a dash for empty ones. */
export function FactList({ className, rows }: { className: string; rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={className}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Value>{value || '—'}</Value>
          </dd>
        </div>
      ))}
    </dl>
  )
}
