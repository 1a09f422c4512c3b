import { z } from 'zod'
import { Id } from './endpoint.ts'

/**
 * What a verb over a list acts on: the rows that were ticked, or everything that the list's filters find, with the number
 * that the person was shown. `filters` is the query of the list without its page and sort.
 */
export const selectionOf = <Filters extends z.ZodType>(filters: Filters) =>
  z.union([
    z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    z.strictObject({ all: filters, expected: z.number().int().min(0) }),
  ])
