import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { NEW_APPLICATION } from '#shared/contract/application-fields.ts'
import { AUDIT_ACTIONS, SHOWN_FIELDS } from '#shared/contract/audit-actions.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { SYNC_OUTCOMES, SYNC_UNDO_OUTCOMES } from '#shared/contract/sync-runs.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from '../settings/settings-documents.rules.ts'

const SERVER = new URL('../../', import.meta.url)
const NAME = /'([a-z][a-z\d-]*(?:\.[a-z\d-]+)+)'/g

/** Names used as an `action` in any file that writes audit records. */
function namesInCode(): string[] {
  const files = globSync('**/*.ts', { cwd: SERVER.pathname }).filter((file) => !/\.test\.ts$|^testing\//.test(file))
  const texts = files.map((file) => readFileSync(new URL(file, SERVER), 'utf8'))
  const lines = texts.filter((text) => /\brecordAudits?\b|\bAudit\b/.test(text)).flatMap((text) => text.split('\n'))
  const naming = lines.filter((line) => /\baction\b|\bline\('/.test(line))
  return [...new Set(naming.flatMap((line) => [...line.matchAll(NAME)].map(([, name = '']) => name)))]
}

test('every action in the code that changes an account has a message in every language', () => {
  const names = namesInCode()
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !(name in AUDIT_ACTIONS))).toEqual([])
})

test('every known action and every displayed field has a message', () => {
  const keys = [
    ...Object.keys(AUDIT_ACTIONS).map((name) => `action.${name}`),
    ...SHOWN_FIELDS.map((name) => `audit-field.${name}`),
  ]
  for (const language of SHIPPED_LANGUAGES) {
    const messages = shippedMessages(language)
    expect([language, keys.filter((key) => !messages[key])]).toEqual([language, []])
  }
})

/** Field names in any snapshot, written as one literal. */
function fieldsInCode(): string[] {
  const files = globSync('features/**/*.ts', { cwd: SERVER.pathname }).filter((file) => !file.endsWith('.test.ts'))
  const texts = files
    .map((file) => readFileSync(new URL(file, SERVER), 'utf8'))
    .filter((text) => /\bAudit|\brecordAudit/.test(text))
  const sides = texts.flatMap((text) => [
    ...text.replace(/\([^()]*\)/g, '').matchAll(/\b(?:(?:before|after):|const (?:before|after) =) \{([^{}?]*)\}/g),
    ...text.matchAll(/^ {4}(?:un)?(?:lock|freeze|thaw): \{([^{}]*)\}/gm),
  ])
  const names = sides.flatMap(([, side = '']) =>
    [...side.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, name = '']) => name),
  )
  // A position among siblings is no field.
  return [...new Set(names)].filter((name) => name !== 'after')
}

function fieldsOf(schema: unknown): string[] {
  const node = z.object({
    properties: z.record(z.string(), z.unknown()).optional(),
    anyOf: z.array(z.unknown()).optional(),
    oneOf: z.array(z.unknown()).optional(),
    items: z.unknown().optional(),
  })
  const { properties = {}, anyOf = [], oneOf = [], items } = node.parse(schema)
  const below = [...Object.values(properties), ...anyOf, ...oneOf, ...(items ? [items] : [])]
  return [...Object.keys(properties), ...below.flatMap(fieldsOf)]
}

test('the history of changes shows no field by its key', () => {
  const settings = [...Object.values(SETTINGS_DOCUMENTS), ...Object.values(SEALED_DOCUMENTS)]
  const names = new Set([
    ...fieldsInCode(),
    ...Object.keys(NEW_APPLICATION),
    ...settings.flatMap((schema) => fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))),
    ...[...SYNC_OUTCOMES, ...SYNC_UNDO_OUTCOMES, 'written', 'kept'],
  ])
  expect(names).toContain('lockedAt')
  const messages = shippedMessages('en')
  const kinds = ['audit', 'change', 'application', 'person']
  // For a field rule both parts are shown.
  const isTold = (name: string) =>
    name.split('.').every((part) => kinds.some((kind) => messages[`${kind}-field.${part}`] !== undefined))
  expect([...names].filter((name) => !isTold(name))).toEqual([])
})
