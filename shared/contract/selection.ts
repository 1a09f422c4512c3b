import { z } from 'zod'
import { Id } from './endpoint.ts'

/**
 * The target of a list action: ticked rows, or everything that matches the filters, with the number that the person was
 * shown. `filters` is the query of the list without paging and order.
 */
export const selectionOf = <Filters extends z.ZodType>(filters: Filters) =>
  z.union([
    z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    z.strictObject({ all: filters, expected: z.number().int().min(0) }),
  ])
