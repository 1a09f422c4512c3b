import type { Language } from '#shared/contract/endpoint.ts'
import type { Channel } from './messages.store.ts'
import type { Params } from './templates.service.ts'
import type { TemplateName } from './wording.rules.ts'

export type OutgoingMessage = {
  id: string
  channel: Channel
  template: TemplateName
  language: Language
  expiresAt: Date
  to: string
  params: Params
  /** When it happened. */
  at: Date
}
