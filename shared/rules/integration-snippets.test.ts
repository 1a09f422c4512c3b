import { expect, test } from 'vitest'
import {
  integrationEndpoints,
  integrationSnippets,
  SECRET_PLACEHOLDER,
  type SnippetOptions,
} from './integration-snippets.ts'

const FACTS: SnippetOptions = {
  protocol: 'cas',
  publicUrl: 'https://portal.school.test',
  address: 'https://desk.school.test/app/',
  clientId: 'desk-client',
  scopes: ['openid', 'email'],
  hasSecret: true,
}

test('every snippet is filled with the names of the application and of this server, without open placeholders', () => {
  for (const protocol of ['cas', 'oauth2'] as const) {
    for (const hasSecret of [true, false]) {
      const snippets = integrationSnippets({ ...FACTS, protocol, hasSecret })
      expect(snippets).toHaveLength(4)
      for (const { key, text } of snippets) {
        expect(text, key).toContain('portal.school.test')
        expect(text, key).toContain('https://desk.school.test')
        expect(text, key).not.toMatch(/undefined[^,]|null|\{\{|<your|TODO|example/i)
        if (protocol === 'oauth2') expect(text, key).toContain('desk-client')
        expect(text.includes(SECRET_PLACEHOLDER), key).toBe(protocol === 'oauth2' && hasSecret)
      }
    }
  }
})

test('the addresses for clients are on this server', () => {
  for (const protocol of ['cas', 'oauth2'] as const) {
    for (const [, address] of integrationEndpoints({ ...FACTS, protocol })) {
      expect(address).toMatch(/^https:\/\/portal\.school\.test\/fwk_cas_service\//)
    }
  }
})
