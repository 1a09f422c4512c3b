import {
  queryMessageGateways,
  saveMailGateway,
  saveSmsGateway,
  testMailGateway,
  testSmsGateway,
} from '#shared/contract/message-gateways.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeMailGateway, changeSmsGateway, describeGateways } from './gateway-settings.service.ts'
import { testMail, testSms } from './gateway-test.service.ts'

export function mountMessageGateways(api: Api): void {
  api.mount(queryMessageGateways, (ctx) => describeGateways(ctx))
  api.mount(saveMailGateway, (ctx, { body }) => changeMailGateway(ctx, body))
  api.mount(saveSmsGateway, (ctx, { body }) => changeSmsGateway(ctx, body))
  api.mount(testMailGateway, (ctx, { body }) => testMail(ctx, body))
  api.mount(testSmsGateway, (ctx, { body }) => testSms(ctx, body))
}
