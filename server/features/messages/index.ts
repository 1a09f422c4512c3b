export { checkChannel } from './channel-check.service.ts'
export { describeChannels } from './channel-states.service.ts'
export { maskSecret } from './gateway-secrets.rules.ts'
export { changeHttpChannel, describeHttpChannel, restoreGateway, storeGateway } from './gateway-settings.service.ts'
export { countTest, testMail, testSms, toTestResult } from './gateway-test.service.ts'
export { mountMessageGateways } from './gateways.routes.ts'
export {
  findConfiguredChannels,
  findLinkChannels,
  findMailGateway,
  findReadyChannels,
  findSmsGateway,
  findUnbindableContacts,
  loadInstitutionZone,
  openGateway,
  sealGateway,
} from './gateways.service.ts'
export { findSettingsStates } from './gateways.store.ts'
export { type MassNotice, notifyPeople } from './mass-notices.service.ts'
export { mountMessages } from './message-delivery.jobs.ts'
export { purposeOf } from './message-purposes.rules.ts'
export { addressOf, canSend, findRecipients, listCodeChannels } from './message-route.service.ts'
export { canonicalTo, receiverHashes } from './message-target.rules.ts'
export { renderMail, renderMessage, transportMessage } from './message-transport.service.ts'
export { errors as messageErrors } from './messages.errors.ts'
export { purgeMessages } from './messages.jobs.ts'
export { notifyPerson, sendMessage } from './messages.service.ts'
export { mountOutbox } from './outbox.routes.ts'
export { outboxAddress } from './outbox.service.ts'
export type { MessageContent } from './outgoing-message.types.ts'
export { findSmsTemplate } from './sms-templates.service.ts'
export { MessageTemplates } from './template-overrides.types.ts'
export { type Params, templateTextKey } from './templates.service.ts'
export { isUndeliveredCode } from './undelivered-codes.store.ts'
