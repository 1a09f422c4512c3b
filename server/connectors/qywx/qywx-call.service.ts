import type { PacedApp } from '../vendor-budget.service.ts'
import type { FaultCodes, VendorPlace } from '../vendor-call.service.ts'

const CODES: FaultCodes = {
  unavailable: ['-1'],
  'too-many': ['45009', '45033'],
  credentials: [
    ...['40001', '40013', '40056', '40091', '41002', '41004', '2000002'],
    // Of the token itself, after it was fetched anew.
    ...['40014', '42001'],
  ],
  rights: ['48001', '48002', '50001', '50003', '301002'],
  address: ['60020'],
  'not-visible': ['50002', '60011', '60102', '81013'],
  'not-member': ['60111', '46004'],
  gone: ['60003'],
}

/** What a secret of a corporation, which is the application here, gives access to. */
export const corpApp = (place: VendorPlace): PacedApp => ({
  ...place,
  tokenPath: '/cgi-bin/gettoken',
  tokenNames: ['corpid', 'corpsecret'],
  answers: { codeAt: '/errcode', codes: CODES },
  // Half of what WeCom allows a company for an interface: the institution's other programs call it too.
  budget: { perMinute: 5000, perHour: 75_000 },
})
