import type { IconName } from './Icon.tsx'

/** `checked` says of one of several that it is the chosen one. A menu tells its verbs apart by their labels. */
export type MenuVerb = {
  label: string
  icon?: IconName
  lang?: string
  checked?: boolean
  disabled?: boolean
  /** Takes something away for good: marked, and apart from the others at the end. */
  isDanger?: boolean
  onSelect: () => void
}
export type MenuEntry = { heading: string } | MenuVerb

export const importMenuList = () => import('./MenuList.tsx')

/** As soon as somebody comes near; what fails here is told when the menu is wanted. */
export const preloadMenuList = () => void importMenuList().catch(() => {})
