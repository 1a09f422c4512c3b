import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import './chip.css'

type Props = { children: ReactNode; removeLabel: string; onRemove: () => void }

/** A chosen item, with a button to remove it. */
export const Chip = ({ children, removeLabel, onRemove }: Props) => (
  <li className="tag chip">
    {children}
    <ChipRemove label={removeLabel} onRemove={onRemove} />
  </li>
)

export const ChipRemove = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button type="button" className="chip-remove" aria-label={label} onClick={onRemove}>
    <Icon name="close" />
  </button>
)
