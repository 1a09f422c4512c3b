import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_OPTIONS } from '#shared/contract/data-source-options.ts'
import { type ActiveDirectory, AD_READER, sid, startActiveDirectory } from '../../testing/active-directory.ts'
import { openLdap } from './index.ts'

const DOMAIN = AD_READER.database
const GUID = Buffer.from('33221100554477668899aabbccddeeff', 'hex')

let directory: ActiveDirectory
beforeAll(async () => {
  const users = { dn: `CN=Domain Users,${DOMAIN}`, kind: 'group' as const, values: { objectSid: [sid(513)] } }
  const li = {
    dn: `CN=Li\\, Lei,OU=Staff,${DOMAIN}`,
    kind: 'person' as const,
    values: {
      objectGUID: [GUID],
      objectSid: [sid(2001)],
      userAccountControl: ['514'],
      primaryGroupID: ['513'],
      accountExpires: ['133801632000000000'],
      whenCreated: ['20240901080000.0Z'],
      memberOf: Array.from({ length: 3200 }, (_, at) => `g${at}`),
    },
  }
  directory = await startActiveDirectory([users, li])
})
afterAll(() => directory.close())

test('bytes, times, flags, the primary group and more groups than fit one range are read in readable form', async () => {
  const place = { host: '127.0.0.1', port: directory.port, tls: 'off' as const, ca: '', timeoutSeconds: 10 }
  const source = await openLdap({ ...AD_READER, ...place, options: NO_OPTIONS }, 'ad')
  const columns = [
    'objectGUID',
    'objectSid',
    'enabled',
    'accountExpires',
    'whenCreated',
    'primaryGroup',
    'parentDn',
    'memberOf',
  ]
  const rows: string[][] = []
  for await (const batch of source.read('people', columns)) rows.push(...batch)
  await source.close()
  const groups = rows[0]?.pop() ?? ''
  expect(rows).toEqual([
    [
      '00112233-4455-6677-8899-aabbccddeeff',
      'S-1-5-21-1-2-3-2001',
      '0',
      '2025-01-01T00:00:00.000Z',
      '2024-09-01T08:00:00Z',
      `CN=Domain Users,${DOMAIN}`,
      `OU=Staff,${DOMAIN}`,
    ],
  ])
  // Cut after the limit for values, never at the end of the first range.
  expect(groups.length).toBe(2001)
})
