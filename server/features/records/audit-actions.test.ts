import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS, SHOWN_FIELDS } from '#shared/contract/audit-actions.ts'
import { LANGUAGES } from '#shared/contract/endpoint.ts'
import { shippedMessages } from '../../platform/translate.ts'

const SERVER = new URL('../../', import.meta.url)
const NAME = /'([a-z][a-z\d-]*(?:\.[a-z\d-]+)+)'/g

/** Names that some source gives as an `action`, in the files that write audit lines. */
function namesInCode(): string[] {
  const files = globSync('**/*.ts', { cwd: SERVER.pathname }).filter((file) => !/\.test\.ts$|^testing\//.test(file))
  const texts = files.map((file) => readFileSync(new URL(file, SERVER), 'utf8'))
  const lines = texts.filter((text) => /\brecordAudits?\b|\bAudit\b/.test(text)).flatMap((text) => text.split('\n'))
  const naming = lines.filter((line) => /\baction\b|\bline\('/.test(line))
  return [...new Set(naming.flatMap((line) => [...line.matchAll(NAME)].map(([, name = '']) => name)))]
}

test('whatever changes an account is told in words: every action in the code has a message in every language', () => {
  const names = namesInCode()
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !(name in AUDIT_ACTIONS))).toEqual([])
})

test('every known action and every field that is shown has its words', () => {
  const keys = [
    ...Object.keys(AUDIT_ACTIONS).map((name) => `action.${name}`),
    ...SHOWN_FIELDS.map((name) => `audit-field.${name}`),
  ]
  for (const language of LANGUAGES) {
    const messages = shippedMessages(language)
    expect([language, keys.filter((key) => !messages[key])]).toEqual([language, []])
  }
})
