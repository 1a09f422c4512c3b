import { type LightPage, NOTICES, type NoticeName } from '#shared/contract/light-page.ts'

/** The subject of sample pages; all invented. */
const LIBRARY = { name: '图书馆', names: { zh_CN: '图书馆', zh_TW: '圖書館', en: 'Library' } }
const PERSON = '李雷'
const AT = '2026-01-05T08:00:00.000Z'

const STEP = { totp: true, recovery: true, passkey: null, trustDays: 30 }
const SESSION_LIMIT = {
  most: 2,
  toEnd: 1,
  logins: [
    { id: '1', browser: 'Chrome', device: 'Windows', ip: '192.0.2.10', lastSeen: AT },
    { id: '2', browser: 'Safari', device: 'iPhone', ip: '192.0.2.20', lastSeen: AT },
  ],
}
const STAYS = { action: '#', service: null, application: LIBRARY, back: '#' }

const isNotice = (name: string): name is NoticeName => Object.hasOwn(NOTICES, name)

const noticeOf = (name: NoticeName): LightPage => ({
  kind: 'notice',
  name,
  application: LIBRARY,
  person: name === 'signed-out' ? null : PERSON,
  error: name === 'refused' ? { code: 'request.cross-site', params: {} } : null,
  requestId: '0000-0000',
  actions: [
    { text: { key: name === 'signed-out' ? 'notice.to-login' : 'notice.to-portal' }, href: '#', primary: true },
  ],
})

/**
 * A light page other than the login page, with invented content: `second-factor`, `session-limit`, `consent`, `confirm`, `device`, or a notice by
 * its name.
 */
export function samplePage(name: string): LightPage | null {
  if (isNotice(name)) return noticeOf(name)
  switch (name) {
    case 'second-factor':
      return { kind: 'second-factor', ...STAYS, step: STEP, error: null }
    case 'session-limit':
      return { kind: 'session-limit', ...STAYS, sessionLimit: SESSION_LIMIT }
    case 'consent':
      return {
        kind: 'consent',
        application: LIBRARY,
        picture: null,
        person: PERSON,
        learns: ['profile', 'email'],
        code: null,
        actions: [
          { text: { key: 'consent.yes' }, href: '#', primary: true },
          { text: { key: 'consent.no' }, href: '#' },
        ],
      }
    case 'confirm':
      return {
        kind: 'confirm',
        name: 'continue',
        application: LIBRARY,
        person: PERSON,
        actions: [
          { text: { key: 'confirm.continue.yes' }, href: '#', primary: true },
          { text: { key: 'confirm.continue.no' }, href: '#' },
        ],
      }
    case 'device':
      return { kind: 'device', action: '#', userCode: '', error: null }
    default:
      return null
  }
}
