import type { FaultCodes, VendorApp } from '../vendor-call.service.ts'

const CODES: FaultCodes = {
  unavailable: ['-1', '45009', '45033'],
  misconfigured: [
    ...[
      '40001',
      '40013',
      '40056',
      '40091',
      '41002',
      '41004',
      '48001',
      '48002',
      '50001',
      '50003',
      '60020',
      '301002',
      '2000002',
    ],
    // Of the token itself, after it was fetched anew.
    ...['40014', '42001'],
  ],
  'not-visible': ['50002', '60011', '60102', '81013'],
  'not-member': ['60111', '46004'],
}

type Place = { host: string; corpId: string; secret: string }

/** What a secret of the corporation gives access to. */
export const corpApp = ({ host, corpId: application, secret }: Place): VendorApp => ({
  ...{ host, application, secret },
  tokenPath: '/cgi-bin/gettoken',
  tokenNames: ['corpid', 'corpsecret'],
  answers: { codeAt: '/errcode', codes: CODES },
})
