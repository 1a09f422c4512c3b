import { randomInt } from 'node:crypto'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  CODE_MINUTES,
  type CodeChannel,
  type CodePurpose,
  type CodeSent,
  MAX_CODE_TRIES,
  RESEND_SECONDS,
} from '#shared/contract/verification-codes.ts'
import { CODE_LENGTH, extractCode } from '#shared/rules/verification-code.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { isChannelReady, queueCode, whereCodesArrive } from './code-delivery.service.ts'
import { countSentCode, rateLimitRequest } from './code-limits.service.ts'
import { errors } from './verification-codes.errors.ts'
import { consumeCode, findLockedSlot, saveCode } from './verification-codes.store.ts'

/** Wrong attempts stop counting this long after the last one. */
const TRY_WINDOW_MINUTES = 15

/** What a code is bound to: it is invalid if any of this differs. */
type CodeBinding = {
  purpose: CodePurpose
  /** Null: unknown, which the answer must not reveal. */
  userId: string | null
  /** A phone number in E.164, or a mailbox. */
  target: string
  /**
   * The name that was typed if it wasn't the target: reported limits depend on it, so that they reveal nothing about the person behind it.
   * A target at its limit is then skipped silently.
   */
  typed?: string
  /** The browser's id, if nobody is logged in: then no error may depend on whose target it is. */
  browser?: string | null
}

type SendCodeInput = CodeBinding & {
  channel: CodeChannel
  language: Language
  /** The person may choose any target here, so their codes are counted per person too: otherwise they could send some to everybody. */
  isChosen?: boolean
}

/**
 * Sends a new code that replaces the former one; it is sent by the message queue, never inline. The answer and its limits are the same for
 * existing and unknown people.
 * @throws Refusal `verification-code.too-soon`, `verification-code.too-many`, `verification-code.too-many-tries`,
 *   `verification-code.unavailable`
 */
export async function sendCode(ctx: Context, sending: SendCodeInput): Promise<CodeSent> {
  const { purpose, userId, channel, target, typed = target, language, isChosen = false } = sending
  if (!(await isChannelReady(ctx, purpose, channel))) throw errors['verification-code.unavailable']()
  const slot = slotKey(ctx, sending)
  await assertSlotUsable(ctx, slot)
  await rateLimitRequest(ctx, { purpose, whom: typed, chosenBy: isChosen ? userId : null })
  const isDue = await countSentCode(ctx, { purpose, target, typed })
  if (!isDue && sending.browser === undefined) throw errors['verification-code.too-many']()
  const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  const at = ctx.now()
  const expiresAt = new Date(at.getTime() + CODE_MINUTES * 60_000)
  const row = { slot, codeHash: hashCode(ctx, slot, code), at, expiresAt, triesCountSince: tryWindowStart(at) }
  await transaction(ctx, async (inner) => {
    await saveCode(inner.db, row)
    if (userId === null || !isDue) return
    const queued = await queueCode(inner, { purpose, userId, channel, target, language, code, expiresAt })
    if (!queued && sending.browser === undefined) throw errors['verification-code.too-many']()
  })
  const channels = await whereCodesArrive(ctx, purpose, channel)
  return { secondsLeft: RESEND_SECONDS, expiresInSeconds: CODE_MINUTES * 60, channels }
}

/**
 * Consumes a code. Wrong attempts stay counted whatever happens to the caller's work, so call it outside a transaction.
 * @throws Refusal `verification-code.wrong`, `verification-code.expired`, `verification-code.too-many-tries`
 */
export async function verifyCode(ctx: Context, input: CodeBinding & { code: string }): Promise<void> {
  const slot = slotKey(ctx, input)
  const codeHash = hashCode(ctx, slot, extractCode(input.code))
  const attempt = await consumeCode(ctx.sql, {
    slot,
    codeHash,
    userId: input.userId,
    most: MAX_CODE_TRIES,
    at: ctx.now(),
  })
  if (attempt?.right) return
  if (attempt && attempt.tries < MAX_CODE_TRIES) throw errors['verification-code.wrong']()
  await assertSlotUsable(ctx, slot)
  throw errors['verification-code.expired']()
}

async function assertSlotUsable(ctx: Context, slot: Buffer): Promise<void> {
  const now = ctx.now()
  const lastTryAt = await findLockedSlot(ctx.sql, slot, MAX_CODE_TRIES, tryWindowStart(now))
  if (!lastTryAt) return
  const ms = lastTryAt.getTime() + TRY_WINDOW_MINUTES * 60_000 - now.getTime()
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  throw errors['verification-code.too-many-tries']({ params: { minutes }, retryAfter: ms / 1000 })
}

const tryWindowStart = (now: Date): Date => new Date(now.getTime() - TRY_WINDOW_MINUTES * 60_000)

/** As JSON, so that values can't run into each other. */
const slotKey = (ctx: Platform, { purpose, userId, target, typed = target, browser = null }: CodeBinding): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code-slot', purpose, userId, typed, target, browser]))

const hashCode = (ctx: Platform, slot: Buffer, code: string): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code', slot.toString('base64'), code]))
