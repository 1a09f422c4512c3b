import type { FaultCodes, VendorApp } from '../vendor-call.service.ts'

/** Of the new interface, whose codes are words, and of the old one, whose codes are numbers. */
export const CODES: FaultCodes = {
  unavailable: ['-1', 'Throttling', 'ServiceUnavailable', 'InternalError', '90018', '90002', '143103', '143104'],
  misconfigured: [
    ...['InvalidAuthentication', 'invalidClientId', 'invalidClientSecret', 'Forbidden.AccessDenied'],
    ...['40035', '40089', '40096', '60011', '60020', '88', '40014', '42001', '40056', '400002'],
  ],
  'not-visible': ['50002', '50004'],
  'not-member': ['60121', '33012'],
}

type OldPlace = { host: string; clientId: string; clientSecret: string }

/** An application at the old interface. A code of it may be wrapped in another one. */
export const oldApp = ({ host, clientId: application, clientSecret: secret }: OldPlace): VendorApp => ({
  ...{ host, application, secret },
  tokenPath: '/gettoken',
  tokenNames: ['appkey', 'appsecret'],
  answers: { codeAt: '/errcode', innerCodeAt: '/sub_code', codes: CODES },
})
