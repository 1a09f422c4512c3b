import type { ReactNode } from 'react'
import { Value } from './Value.tsx'
import './fact-list.css'

/** Labels and values; a dash for empty ones. */
export function FactList({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="fact-list">
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
