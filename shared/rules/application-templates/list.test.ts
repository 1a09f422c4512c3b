import { expect, test } from 'vitest'
import { createApplication } from '../../contract/application-manage.ts'
import { TEMPLATE_KEYS } from './keys.ts'
import { APPLICATION_TEMPLATES } from './list.ts'
import { fieldsOf, instructionsOf, parseBase } from './template.ts'

const FACTS = { publicUrl: 'https://portal.school.test', clientId: 'the-client', secret: 'the-secret' }
const BASES = ['https://app.school.test', 'https://app.school.test:8443/deep/folder']

test('every gallery product gives an application that can be registered, at a root and in a folder', () => {
  expect(APPLICATION_TEMPLATES.map(({ key }) => key)).toEqual([...TEMPLATE_KEYS])
  for (const template of APPLICATION_TEMPLATES) {
    for (const base of BASES) {
      const { key, protocol, product } = template
      const filled = fieldsOf(template, { ...FACTS, base })
      const body = { appId: 'app', name: product, protocol, template: key, url: `${base}/`, ...filled }
      const judged = createApplication.body.safeParse(body)
      expect(judged.error?.issues ?? [], key).toEqual([])
      const addresses = [...(filled.serviceUrls ?? []), ...(filled.redirectUris ?? [])]
      expect(addresses.length, key).toBeGreaterThan(0)
      for (const address of addresses) expect(address.startsWith(base), key).toBe(true)
    }
  }
})

test('the instructions for a product are filled with real values, without open placeholders', () => {
  for (const template of APPLICATION_TEMPLATES) {
    for (const base of BASES) {
      const { key, protocol } = template
      const { settings, snippet } = instructionsOf(template, { ...FACTS, base })
      const text = [...settings.map(([, value]) => value), snippet?.text ?? ''].join('\n')
      expect(text, key).toContain('portal.school.test')
      expect(text, key).not.toMatch(/\{(base|basePath|host|cas|issuer|discovery|server|port|clientId|secret)\}/)
      if (protocol === 'oauth2') for (const value of ['the-client', 'the-secret']) expect(text, key).toContain(value)
      const { secret: _s, ...later } = FACTS
      expect(JSON.stringify(instructionsOf(template, { ...later, base })), key).not.toContain('the-secret')
    }
    expect(template.docs).toMatch(/^https:\/\//)
  }
})

test('the address of a product is normalised, or refused with the problem', () => {
  const good = [
    ['https://Moodle.School.test/', 'https://moodle.school.test'],
    ['  https://moodle.school.test:443/lms/  ', 'https://moodle.school.test/lms'],
    ['https://学校.test', 'https://xn--48s290a.test'],
    ['http://localhost:8080/x', 'http://localhost:8080/x'],
    ['https://x.test/~user/my.app', 'https://x.test/~user/my.app'],
  ] as const
  for (const [typed, base] of good) expect(parseBase('oauth2', typed), typed).toEqual({ base })
  const bad = [
    ['javascript:alert(1)', 'not-web'],
    ['moodle.school.test', 'not-web'],
    ['https://user:secret@x.test', 'not-web'],
    ['https://x.test\\@y.test', 'not-web'],
    ['https://x.test/a b', 'not-web'],
    [`https://x.test/${'a'.repeat(1000)}`, 'not-web'],
    ['https://*.school.test', 'host'],
    ['https://x.test/#/login', 'base-rest'],
    ['https://x.test/?a=1', 'base-rest'],
    ['https://x.test/../y', 'base-path'],
    ['https://x.test/%2e%2e/y', 'base-path'],
    ["https://x.test/'+secret+'", 'base-path'],
    ['https://x.test/**', 'base-path'],
    ['http://x.test', 'insecure'],
  ] as const
  for (const [typed, problem] of bad) expect(parseBase('oauth2', typed), typed).toEqual({ problem })
  expect(parseBase('cas', 'http://x.test')).toEqual({ base: 'http://x.test' })
})
