import { type ReactNode, type Ref, useId } from 'react'

export type Translate = (key: string, params?: Record<string, string | number>) => string

type ToolProps = {
  children: ReactNode
  onPress: () => void
  /** Absent: a one-time action. */
  isOn?: boolean
  /** At its limit; keeps the focus. */
  isOff?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function ToolButton({ children, onPress, isOn, isOff = false, ref }: ToolProps) {
  return (
    <button
      ref={ref}
      type="button"
      className="reading-tool"
      aria-pressed={isOn}
      aria-disabled={isOff || undefined}
      onClick={() => isOff || onPress()}
    >
      {children}
    </button>
  )
}

export function ToolGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as one row of a toolbar in every browser.
    <div className="reading-group" role="group" aria-labelledby={id}>
      <span id={id} className="reading-label">
        {label}
      </span>
      {children}
    </div>
  )
}
