import type { PacedApp } from '../vendor-budget.service.ts'
import type { FaultCodes, VendorCredentials } from '../vendor-call.service.ts'

/** For the new API, whose codes are words, and the old one, whose codes are numbers. */
export const CODES: FaultCodes = {
  unavailable: ['-1', 'Throttling', 'ServiceUnavailable', 'InternalError', '143103', '143104'],
  'too-many': ['90018', '90002', '90006'],
  credentials: [
    ...['InvalidAuthentication', 'invalidClientId', 'invalidClientSecret'],
    ...['33001', '40001', '40013', '40035', '40056', '40089', '40091', '40096', '41002', '41004', '400002', '88'],
    // For the token itself, after it was renewed.
    ...['40014', '42001'],
  ],
  rights: ['Forbidden.AccessDenied', '48001', '48002', '50001', '50003', '60011', '301002'],
  address: ['60020'],
  'not-visible': ['50002', '50004'],
  'not-member': ['60121', '33012'],
  gone: ['60003'],
}

/** Of the new API. */
export const newAnswers = { codeAt: '/code', codes: CODES }

/** An application for the old API, which may wrap a code in another one. */
export const oldApp = (credentials: VendorCredentials): PacedApp => ({
  ...credentials,
  tokenPath: '/gettoken',
  tokenNames: ['appkey', 'appsecret'],
  answers: { codeAt: '/errcode', innerCodeAt: '/sub_code', codes: CODES },
  // Half of the twenty calls per second that every edition allows.
  budget: { perMinute: 600, perHour: 36_000 },
})
