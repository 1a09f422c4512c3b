import { errors } from '../../platform/errors.ts'
import { applicationOf, type Context } from '../../platform/platform.ts'

/** Where a page ended, in the order of its call. */
export type PagePosition = { first: string; second: string }

/** Whole blocks are sealed, so that the length reveals nothing about the account in a position. */
const BLOCK_BYTES = 320

/**
 * Where the next page of `call` starts. Sealed, because a page may end at a person whom the application may not know about, and so that
 * only we can create one.
 */
export function sealPosition(ctx: Context, call: string, { first, second }: PagePosition): string {
  const text = JSON.stringify([applicationOf(ctx).id, call, first, second])
  const missing = BLOCK_BYTES - (Buffer.byteLength(text) % BLOCK_BYTES)
  return ctx.secrets.seal(text + ' '.repeat(missing))
}

/** Null: at the beginning. @throws Refusal `request.invalid` for a cursor that this call did not give this application. */
export function openPosition(ctx: Context, call: string, cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null
  const [application, madeBy, first, second] = parseCursor(ctx, cursor)
  if (application === applicationOf(ctx).id && madeBy === call && first && second) return { first, second }
  const field = { field: 'after', reason: ctx.translate(ctx.client.language, 'reason.cursor') }
  throw errors['request.invalid']({ params: field, data: { fields: [field] } })
}

function parseCursor(ctx: Context, cursor: string): string[] {
  try {
    return JSON.parse(ctx.secrets.open(cursor)) as string[]
  } catch {
    return []
  }
}
