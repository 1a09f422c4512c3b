import type { AccessPlace } from '../access/index.ts'

/** The range of an address, with its name; null for a new range, and for none. */
export type ReplayedPlace = AccessPlace & { name: string | null }
export type ReplayedPlaces = Record<'before' | 'after', ReplayedPlace>
