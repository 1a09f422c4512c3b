import { expect, test } from 'vitest'
import { z } from 'zod'
import * as accessRules from '#shared/contract/access-rules.ts'
import * as accountFields from '#shared/contract/account-fields.ts'
import * as accountHolds from '#shared/contract/account-holds.ts'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import * as ipRanges from '#shared/contract/ip-ranges.ts'
import * as loginConfig from '#shared/contract/login-config.ts'
import * as policyImpact from '#shared/contract/policy-impact.ts'
import * as userVerbs from '#shared/contract/user-verbs.ts'
import { shippedMessages } from '../translate.ts'
import { fieldLabel } from './field-labels.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** The paths of all fields, with `0` for the entries of a list and the keys of a record left out. */
function pathsOf(schema: Schema, above = ''): string[] {
  const within = (name: string) => (above ? `${above}.${name}` : name)
  const inner = (one: unknown, path: string) => (typeof one === 'object' && one ? pathsOf(one as Schema, path) : [])
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [within(name), ...inner(one, within(name))]),
    ...inner(schema.items, within('0')),
    ...(schema.anyOf ?? []).flatMap((one) => inner(one, above)),
  ]
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value

const callsOf = (contract: object): Endpoint[] =>
  Object.values(contract).flatMap((value) =>
    isEndpoint(value) ? [value] : typeof value === 'object' && value ? Object.values(value).filter(isEndpoint) : [],
  )

const inputsOf = ({ query, body }: Endpoint): z.ZodType[] => [query, body].filter((one) => one !== undefined)
const calls = [accessRules, accountFields, accountHolds, ipRanges, loginConfig, policyImpact, userVerbs].flatMap(
  callsOf,
)
/** What only programs write, and what a page fills in by itself. */
const UNSEEN =
  /^(version|force|changes|reset|dryRun|verb|selection.*|pageIndex|pageSize|sort|expected|ids?|range|fields|isHeld|people|dormant|locked|told|policy.*|send)$/

test('every field that a page of the security centre sends is named as that page names it', () => {
  const translate = (_: string, key: string) => shippedMessages('en')[key] ?? key
  const isRaw = (path: string, url: string) =>
    fieldLabel(translate, 'en', path, `/auth_service${url}`) === path.replace(/^changes\./, '')
  const raw = calls.flatMap((call) =>
    inputsOf(call).flatMap((input) =>
      pathsOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
        .filter((path) => !UNSEEN.test(path) && isRaw(path, call.path))
        .map((path) => `${call.path} ${path}`),
    ),
  )
  expect(raw).toEqual([])
})
