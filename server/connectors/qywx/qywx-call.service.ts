import type { PacedApp } from '../vendor-budget.service.ts'
import type { FaultCodes, VendorCredentials } from '../vendor-call.service.ts'

const CODES: FaultCodes = {
  unavailable: ['-1'],
  'too-many': ['45009', '45033'],
  credentials: [
    ...['40001', '40013', '40056', '40091', '41002', '41004', '2000002'],
    // For the token itself, after it was renewed.
    ...['40014', '42001'],
  ],
  rights: ['48001', '48002', '50001', '50003', '301002'],
  address: ['60020'],
  'not-visible': ['50002', '60011', '60102', '81013'],
  'not-member': ['60111', '46004'],
  gone: ['60003'],
}

/** A corporation with one of its secrets, which is the application here. */
export const corpApp = (credentials: VendorCredentials): PacedApp => ({
  ...credentials,
  tokenPath: '/cgi-bin/gettoken',
  tokenNames: ['corpid', 'corpsecret'],
  answers: { codeAt: '/errcode', codes: CODES },
  // Half of what WeCom allows a company per API: the institution's other programs call it too.
  budget: { perMinute: 5000, perHour: 75_000 },
})
