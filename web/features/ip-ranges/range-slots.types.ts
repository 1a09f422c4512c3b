import type { ReactNode } from 'react'

/** What other features contribute to a range's page. */
export type RangeSlots = { history: (id: string) => ReactNode }
