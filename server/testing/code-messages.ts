import { sendMessage } from '../features/messages/index.ts'
import { systemContext, transaction } from '../platform/platform.ts'
import type { TestServer } from './server.ts'

export const CODE = '482915'
export const PHONE = '+8613800000001'

/** Queues a login code for a person by text message. @param fields that differ */
export const sendLoginCode = ({ server, userId }: { server: TestServer; userId: string }, fields: object = {}) =>
  transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template: 'code.login',
      channel: 'sms',
      to: PHONE,
      userId,
      language: 'en',
      params: { code: CODE, minutes: 5 },
      ...fields,
    }),
  )
