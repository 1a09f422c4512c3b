import { presetSettings } from '../server/testing/campus-id.presets.ts'
import { VENDORS } from '../tools/simulators/index.ts'
import { openSchool, testWithServer } from './fixtures.ts'

/** An unreachable system: the login page needs only its address. */
const ELSEWHERE = 'http://localhost:9'

/** Every login method that a login page can offer: password and code, two QR codes, another system. */
const withAllMethods = (content: { applications?: object[]; settings?: object }) => ({
  ...content,
  // Named as in the samples of a preview.
  applications: content.applications?.map((one) => ({ ...one, names: { zh_CN: '图书馆', zh_TW: '圖書館' } })),
  thirdPartyProviders: [
    ...(['qywx', 'dingding'] as const).map((key) => ({
      key,
      connector: key,
      name: key === 'qywx' ? 'WeCom' : 'DingTalk',
      settings: VENDORS[key].settings(ELSEWHERE),
    })),
    { key: 'campus-id', connector: 'oauth2', name: 'Campus ID', settings: presetSettings('oidc', ELSEWHERE) },
  ],
  settings: {
    ...content.settings,
    mail: { host: '127.0.0.1', port: 9, security: 'none', user: 'x', password: 'x', from: 'portal@school.test' },
  },
})

/** The look affects everybody on this server. */
export const test = testWithServer('appearance of the pages', () => openSchool({}, withAllMethods))
