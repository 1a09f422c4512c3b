import type { IconName } from './Icon.tsx'

/** `checked` marks the current one of several. Labels must be unique within a menu. */
export type MenuVerb = {
  label: string
  icon?: IconName
  lang?: string
  checked?: boolean
  disabled?: boolean
  /** Below the label, such as why it is disabled. */
  hint?: string | undefined
  /** Destructive: marked, and apart from the others at the end. */
  isDanger?: boolean
  onSelect: () => void
}

export type MenuEntry = { heading: string } | MenuVerb
