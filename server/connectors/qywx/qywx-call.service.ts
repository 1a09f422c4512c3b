import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor, type FaultCodes, lifetimeOf } from '../vendor-call.service.ts'

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
export const TOKEN_CODES = ['40014', '42001']

export const answers = { codeAt: '/errcode', codes: CODES }

type Place = { host: string; corpId: string; secret: string }

/** The token that a secret of the corporation gives. @throws ConnectorFault */
export async function fetchCorpToken(context: ConnectorContext, { host, corpId, secret }: Place) {
  const query = { corpid: corpId, corpsecret: secret }
  const document = await callVendor(context, { step: 'token', host, path: '/cgi-bin/gettoken', query }, answers)
  const token = textAtPointer(document, '/access_token')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, expiresAt: new Date(context.now().getTime() + lifetimeOf(document, '/expires_in') * 1000) }
}
