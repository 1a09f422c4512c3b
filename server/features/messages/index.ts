export { maskSecret } from './gateway-secrets.rules.ts'
export { restoreGateway, storeGateway } from './gateway-settings.service.ts'
export { testMail, testSms } from './gateway-test.service.ts'
export { mountMessageGateways } from './gateways.routes.ts'
export {
  findConfiguredChannels,
  findLinkChannels,
  findMailGateway,
  findReadyChannels,
  findSmsGateway,
  loadInstitutionZone,
  openGateway,
  sealGateway,
} from './gateways.service.ts'
export { findSettingsStates } from './gateways.store.ts'
export { type MassNotice, notifyPeople } from './mass-notices.service.ts'
export { mountMessages } from './message-delivery.jobs.ts'
export { purgeMessages } from './messages.jobs.ts'
export { notifyPerson, sendMessage } from './messages.service.ts'
export { mountOutbox } from './outbox.routes.ts'
export { outboxAddress } from './outbox.service.ts'
export { MessageTemplates } from './template-overrides.types.ts'
