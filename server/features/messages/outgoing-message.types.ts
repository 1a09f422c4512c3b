import type { Language } from '#shared/contract/endpoint.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Params } from './templates.service.ts'

/** The content of a message. */
export type MessageContent = {
  template: TemplateName
  language: Language
  params: Params
  /** When it happened. */
  at: Date
}

export type OutgoingMessage = MessageContent & {
  id: string
  channel: MessageChannel
  expiresAt: Date
  to: string
}
