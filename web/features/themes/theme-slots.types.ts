import type { ReactNode } from 'react'

export type ThemeSlots = {
  /** The history of a theme, or without `id` of the schedule; with rollback. */
  history: (id?: string) => ReactNode
}
