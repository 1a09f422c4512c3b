import { z } from 'zod'
import { get, Id, Language } from './endpoint.ts'

export const OutboxMessage = z.object({
  id: Id,
  channel: z.enum(['mail', 'sms']),
  language: Language,
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  sentAt: z.string(),
})
export type OutboxMessage = z.infer<typeof OutboxMessage>

export const queryOutbox = get(
  '/outbox/query/',
  'public',
  z.strictObject({ key: z.string().max(100).default('') }),
  z.array(OutboxMessage),
  {
    summary: 'What a demo would have sent, newest first. Does not exist without a demo',
    errors: ['outbox.key-needed'],
  },
)
