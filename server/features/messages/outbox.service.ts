import type { Platform } from '../../platform/platform.ts'
import type { Letter } from './hand-over.ts'
import { insertOutboxMessage } from './outbox.store.ts'
import type { Rendered } from './templates.ts'

const MOST_KEPT = 50

export async function keepInOutbox(
  { sql, secrets, now }: Platform,
  { id, channel, to }: Letter,
  { subject, text, sms }: Rendered,
): Promise<void> {
  const shown = channel === 'mail' ? { channel, to, subject, text } : { channel, to, subject: '', text: sms }
  await insertOutboxMessage(sql, { id, sealed: secrets.seal(JSON.stringify(shown)), createdAt: now() }, MOST_KEPT)
}
