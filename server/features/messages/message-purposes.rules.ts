import { CODE_PURPOSES, type MessagePurpose } from '#shared/contract/message-routes.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'

const PURPOSES: Partial<Record<TemplateName, MessagePurpose>> = {
  'code.login': 'login',
  'code.password-recovery': 'recovery',
  'code.activation': 'activation',
  'notice.dormant': 'dormancy',
  'notice.dormant-soon': 'dormancy',
  'notice.dormant-lock-soon': 'dormancy',
  'notice.dormancy-held': 'administration',
  'notice.log-insight': 'administration',
  'notice.sync-held': 'administration',
}

/** The purpose of a message; null if no route can be chosen, because it proves the address that it is sent to. */
export const purposeOf = (template: TemplateName): MessagePurpose | null =>
  PURPOSES[template] ?? (template.startsWith('notice.') ? 'security' : null)

export const isCodePurpose = (purpose: MessagePurpose): purpose is (typeof CODE_PURPOSES)[number] =>
  (CODE_PURPOSES as readonly MessagePurpose[]).includes(purpose)
