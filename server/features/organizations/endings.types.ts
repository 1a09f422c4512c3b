import type { Context } from '../../platform/platform.ts'

export type EndingPlace = { id: string; code: string }

/** What another feature does with what it keeps about an organisation that ends, in the transaction of that end. */
export type EndingHandler = {
  /** The organisation is merged into another one, which takes over. */
  merge(ctx: Context, from: EndingPlace, into: EndingPlace): Promise<void>
  /** The organisation is deleted; absent: what is kept ends with its row. */
  remove?(ctx: Context, place: EndingPlace): Promise<void>
}
