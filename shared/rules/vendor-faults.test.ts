import { expect, test } from 'vitest'
import en from '../locales/en.json' with { type: 'json' }
import zh_CN from '../locales/zh_CN.json' with { type: 'json' }
import zh_TW from '../locales/zh_TW.json' with { type: 'json' }

/** Answers listed in the vendors' manuals and by their users. */
const FAULTS: Readonly<Record<string, string>> = {
  qywx:
    '-1 40001 40003 40013 40014 40029 40056 40066 40078 40091 40163 41001 41002 41004 42001 42003 45009 45033 46004 48001 48002 ' +
    '50001 50002 50003 60003 60004 60005 60006 60008 60011 60020 60102 60103 60104 60106 60111 60123 81013 84014 84015 84025 ' +
    '301002 2000002 no-range no-events no-echo',
  dingding:
    '-1 88 404 33001 33012 40001 40003 40014 40035 40056 40078 40089 40096 42001 50002 50004 60003 60011 60020 60121 90002 90018 ' +
    '143103 143104 143105 143106 400002 InvalidAuthentication Missingbody Throttling Forbidden.AccessDenied ' +
    'Forbidden.AccessDenied.IpNotInWhiteList invalidParameter.authCode.notFound invalidClientId invalidClientSecret ' +
    'invalid.client unauthorized.client unknownError no-answer no-events no-echo',
  weChat:
    '-1 40001 40003 40013 40014 40029 40030 40125 40163 40164 41001 41002 41003 41004 41005 41006 41007 41008 42001 42002 42003 ' +
    '42007 45009 45011 48001 50001 50002',
  qq:
    '-1 100000 100001 100002 100003 100004 100005 100006 100007 100008 100009 100010 100011 100012 100013 100014 100015 100016 ' +
    '100018 100019 100020 100021 100022 100029 100030 100031',
  'auth-edu':
    '-100 -101 -9995 -9996 -9997 -9998 invalid_client invalid_grant unauthorized_client 401 authorize-400 authorize-403 authorize-404',
  exmail: '-1 40001 40013 40014 41002 41004 42001 45009 45033 48001 48002 60020 60111 60120 60121 301002',
  coremail: '8 9 19 20 28 35 39 42 44 45 48 50 51 52 53 55 56 59 60 63 64 65 92 401 403',
  netease: 'bad-key',
  alimail: '401 403 404 429 FREEZE invalid_client unauthorized_client',
}
const REASONS =
  'clock refused unavailable unusable misconfigured unclear cancelled not-member not-visible snapshot signed-out'

const faults = [
  ...Object.entries(FAULTS).flatMap(([vendor, codes]) =>
    codes.split(' ').map((code) => `vendor-fault.${vendor}.${code}`),
  ),
  ...REASONS.split(' ').map((reason) => `vendor-fault.${reason}`),
]

test.each(faults)('%s is told in a sentence of its own, in three languages', (key) => {
  const texts = [en, zh_CN, zh_TW].map((messages) => (messages as Record<string, string>)[key] ?? '')
  for (const text of texts) expect(text).toMatch(/[.。]$/)
  expect(new Set(texts).size).toBe(3)
})
