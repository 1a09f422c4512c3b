export { withoutSecret } from './gateway-secrets.ts'
export { restoreGateway, storeGateway } from './gateway-settings.service.ts'
export { testMail, testSms } from './gateway-test.service.ts'
export { mountMessageGateways } from './gateways.routes.ts'
export {
  channelsConfigured,
  channelsForLinks,
  channelsReady,
  institutionZone,
  openGateway,
  sealGateway,
} from './gateways.service.ts'
export { mountMessages } from './messages.delivery.ts'
export { forgetMessages } from './messages.jobs.ts'
export { notifyPerson, sendMessage } from './messages.service.ts'
export { mountOutbox } from './outbox.routes.ts'
export { outboxAddress } from './outbox.service.ts'
export { MessageTemplates } from './template-overrides.ts'
