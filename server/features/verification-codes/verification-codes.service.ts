import { randomInt } from 'node:crypto'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  CODE_MINUTES,
  type CodeChannel,
  type CodePurpose,
  type CodeSent,
  MOST_CODE_TRIES,
  RESEND_SECONDS,
} from '#shared/contract/verification-codes.ts'
import { CODE_LENGTH, codeIn } from '#shared/rules/verification-code.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { deliver, isReady } from './delivery.ts'
import { countAsked, countTarget } from './limits.service.ts'
import { errors } from './verification-codes.errors.ts'
import { findDeadSlot, saveCode, tryCode } from './verification-codes.store.ts'

/** Wrong tries stop counting this long after the last one. */
const TRIES_COUNT_MINUTES = 15

/** What a code is bound to: it is worth nothing where any of this differs. */
type Binding = {
  purpose: CodePurpose
  /** Null: nobody, which the answer must not show. */
  userId: string | null
  /** A phone number in E.164, or a mailbox. */
  target: string
  /**
   * The name that was typed where the target wasn't: limits are told by it, so that they say nothing of who is behind it. A target
   * that has had its share is then passed over in silence.
   */
  typed?: string
  /** `bindBrowser`, where nobody has logged in: then no refusal may depend on whose target it is. */
  browser?: string | null
}

type Sending = Binding & {
  channel: CodeChannel
  language: Language
  /** The person may name any target here, so how many they get is counted by person too: else each could be sent to all the world. */
  isChosen?: boolean
}

/**
 * Sends a new code in place of the former one; it leaves with the message queue, never inline. The answer and its limits are the same
 * for somebody and nobody.
 * @throws Refusal `verification-code.too-soon`, `verification-code.too-many`, `verification-code.too-many-tries`,
 *   `verification-code.unavailable`
 */
export async function sendCode(ctx: Context, sending: Sending): Promise<CodeSent> {
  const { purpose, userId, channel, target, typed = target, language, isChosen = false } = sending
  if (!(await isReady(ctx, channel))) throw errors['verification-code.unavailable']()
  const slot = slotOf(ctx, sending)
  await refuseDead(ctx, slot)
  await countAsked(ctx, { purpose, whom: typed, chosenBy: isChosen ? userId : null })
  const isDue = await countTarget(ctx, { purpose, target, typed })
  if (!isDue && sending.browser === undefined) throw errors['verification-code.too-many']()
  const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  const at = ctx.now()
  const expiresAt = new Date(at.getTime() + CODE_MINUTES * 60_000)
  const row = { slot, codeHash: hashOf(ctx, slot, code), at, expiresAt, triesCountSince: triesCountSince(at) }
  await transaction(ctx, async (inner) => {
    await saveCode(inner.db, row)
    if (userId === null || !isDue) return
    const queued = await deliver(inner, { purpose, userId, channel, target, language, code, expiresAt })
    if (!queued && sending.browser === undefined) throw errors['verification-code.too-many']()
  })
  return { secondsLeft: RESEND_SECONDS, expiresInSeconds: CODE_MINUTES * 60 }
}

/**
 * Uses a code up. Wrong tries count and stay counted, whatever becomes of the caller's own work, so call it outside of a transaction.
 * @throws Refusal `verification-code.wrong`, `verification-code.expired`, `verification-code.too-many-tries`
 */
export async function spendCode(ctx: Context, using: Binding & { code: string }): Promise<void> {
  const slot = slotOf(ctx, using)
  const codeHash = hashOf(ctx, slot, codeIn(using.code))
  const tried = await tryCode(ctx.sql, { slot, codeHash, userId: using.userId, most: MOST_CODE_TRIES, at: ctx.now() })
  if (tried?.right) return
  if (tried && tried.tries < MOST_CODE_TRIES) throw errors['verification-code.wrong']()
  await refuseDead(ctx, slot)
  throw errors['verification-code.expired']()
}

async function refuseDead(ctx: Context, slot: Buffer): Promise<void> {
  const now = ctx.now()
  const lastTryAt = await findDeadSlot(ctx.sql, slot, MOST_CODE_TRIES, triesCountSince(now))
  if (!lastTryAt) return
  const ms = lastTryAt.getTime() + TRIES_COUNT_MINUTES * 60_000 - now.getTime()
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  throw errors['verification-code.too-many-tries']({ params: { minutes }, retryAfter: ms / 1000 })
}

const triesCountSince = (now: Date): Date => new Date(now.getTime() - TRIES_COUNT_MINUTES * 60_000)

/** As JSON, so that no value runs into the next. */
const slotOf = (ctx: Platform, { purpose, userId, target, typed = target, browser = null }: Binding): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code-slot', purpose, userId, typed, target, browser]))

const hashOf = (ctx: Platform, slot: Buffer, code: string): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code', slot.toString('base64'), code]))
