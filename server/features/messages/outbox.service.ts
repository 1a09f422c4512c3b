import type { z } from 'zod'
import { OutboxMessage, type queryOutbox } from '#shared/contract/outbox.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { errors } from './messages.errors.ts'
import { insertOutboxMessage, listOutboxMessages } from './outbox.store.ts'
import type { OutgoingMessage } from './outgoing-message.types.ts'
import type { Rendered } from './templates.service.ts'

const MAX_OUTBOX_MESSAGES = 50
/** The stored part, encrypted. */
const StoredMessage = OutboxMessage.omit({ id: true, sentAt: true })

export async function storeInOutbox(
  { sql, secrets, now }: Platform,
  { id, channel, language, to }: OutgoingMessage,
  { subject, text, sms }: Rendered,
): Promise<void> {
  const words = channel === 'mail' ? { subject, text } : { subject: '', text: sms }
  const shown = { channel, language, to, ...words }
  await insertOutboxMessage(
    sql,
    { id, sealed: secrets.seal(JSON.stringify(shown)), createdAt: now() },
    MAX_OUTBOX_MESSAGES,
  )
}

/**
 * The URL of the page that shows a demo's messages. From another machine the key in it is needed: with a code from there one can log in as
 * anybody at the demo school.
 */
export const outboxAddress = (platform: Platform): string =>
  `${platform.config.publicUrl}/auth_web/outbox${isLoopbackPortal(platform) ? '' : `#${outboxKey(platform)}`}`

const outboxKey = ({ secrets }: Platform) => secrets.mac('the outbox of the demo').toString('hex').slice(0, 32)

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/

/** The demo is only meant for the browser of whoever started it. */
const isLoopbackPortal = ({ config }: Platform): boolean => LOOPBACK.test(new URL(config.publicUrl).hostname)

type OutboxRequest = {
  key: string
  /** The Host header: with DNS rebinding, another site's page still sends its own name. */
  host: string
}

/** @throws Refusal `request.not-found` outside a demo, `outbox.key-needed` from another machine without the key. */
export async function showOutbox(
  ctx: Context,
  { key, host }: OutboxRequest,
): Promise<z.input<typeof queryOutbox.output>> {
  if (!ctx.config.demo) throw common['request.not-found']()
  const isNear = isLoopbackPortal(ctx) && LOOPBACK.test(ctx.client.ip) && LOOPBACK.test(host)
  if (!isNear && !isSameSecret(key, outboxKey(ctx))) throw errors['outbox.key-needed']()
  const kept = await listOutboxMessages(ctx.db, MAX_OUTBOX_MESSAGES)
  return kept.map(({ id, sealed, createdAt }) => ({
    ...StoredMessage.parse(JSON.parse(ctx.secrets.open(sealed))),
    id,
    sentAt: createdAt.toISOString(),
  }))
}
