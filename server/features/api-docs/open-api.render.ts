import { setImmediate as giveWay } from 'node:timers/promises'
import { z } from 'zod'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import { OPEN_API_ERRORS } from '#shared/contract/open-api.ts'
import { declaredErrors } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { portalCookieName } from '../sessions/index.ts'

type Json = Record<string, unknown>
export type Operation = { parameters?: Json[]; requestBody?: { content: Json }; responses: Record<string, Json> }
/** The `paths` of the OpenAPI document. */
export type Paths = Record<string, Record<string, Operation>>

/** Error codes of a call besides its own, derived from its contract. */
export function errorsOf(endpoint: Endpoint): string[] {
  const { access, method, signed } = endpoint
  const codes = [
    'request.invalid',
    'service.unavailable',
    'server.error',
    ...endpoint.errors,
    ...accessErrorsOf(access),
  ]
  if (signed) codes.push('request.bad-signature', 'request.clock-skew')
  if (method === 'POST') codes.push('request.too-large', 'request.unsupported-media-type')
  if (signed && (method === 'POST' || access === 'application')) codes.push('request.replayed')
  return [...new Set(codes)].sort()
}

/** The errors by which a call is refused to callers without access. */
function accessErrorsOf(access: Access): readonly string[] {
  if (access === 'public') return []
  if (access === 'application') return OPEN_API_ERRORS
  const isAdministration = access === 'superUser' || access.startsWith('administrator')
  const asksForFactor = isAdministration || access === 'user'
  return [
    'session.required',
    ...(asksForFactor || access === 'enrolling' || access === 'completing' ? ['session.limited'] : []),
    ...(asksForFactor || access === 'completing' ? ['session.second-factor-required'] : []),
    ...(asksForFactor ? ['session.profile-incomplete'] : []),
    ...(isAdministration ? ['permission.denied'] : []),
  ]
}

/** The OpenAPI 3.1 document of these endpoints; texts in English. Yields to other work, because there are hundreds. */
export async function renderOpenApi(platform: Platform, endpoints: readonly Endpoint[]): Promise<Json> {
  const text = (key: string) => platform.translate('en', key)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
    await giveWay()
  }
  return {
    openapi: '3.1.0',
    info: { title: text('api-docs.title'), version: '1', description: text('api-docs.introduction') },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: `${platform.config.publicUrl}/auth_service` }],
    paths,
    components: {
      securitySchemes: {
        portalToken: { type: 'apiKey', in: 'header', name: 'token', description: text('api-docs.token') },
        portalCookie: { type: 'apiKey', in: 'cookie', name: portalCookieName(platform.config) },
        signature: { type: 'apiKey', in: 'header', name: 'sign', description: text('api-docs.sign') },
        application: { type: 'apiKey', in: 'header', name: 'appid', description: text('api-docs.appid') },
        appKeySignature: { type: 'apiKey', in: 'header', name: 'sign', description: text('api-docs.app-key-sign') },
      },
      parameters: signatureParameters(text),
      schemas: { Refusal },
    },
    'x-error-codes': Object.fromEntries(
      [...declaredErrors()].sort().map(([code, status]) => [code, { status, message: text(`errors.${code}`) }]),
    ),
  }
}

const signatureParameters = (text: (key: string) => string): Json => ({
  timestamp: {
    name: 'timestamp',
    in: 'header',
    required: true,
    description: text('api-docs.timestamp'),
    schema: { type: 'string', pattern: '^\\d{1,15}$' },
  },
  uuids: {
    name: 'uuids',
    in: 'query',
    required: true,
    description: text('api-docs.uuids'),
    schema: { type: 'string', pattern: '^[A-Za-z0-9-]{16,64}$' },
  },
})

/** The answer of every failed call; the HTTP status equals `state`. */
const Refusal = {
  type: 'object',
  properties: {
    state: { type: 'integer' },
    message: { type: 'string' },
    data: {},
    code: { type: 'string' },
    requestId: { type: 'string' },
  },
  required: ['state', 'message', 'data', 'code', 'requestId'],
}

function operationOf(endpoint: Endpoint): Json {
  const { method, path, access, signed, summary, apiId } = endpoint
  const parameters = [...parametersOf(endpoint), ...(signed ? SIGNED_BY : [])]
  const body = method === 'POST' && bodyOf(endpoint)
  return {
    operationId: `${method.toLowerCase()}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    summary,
    tags: [/^\/([\w-]+)\//.exec(path)?.[1] ?? 'general'],
    security: [securityOf(endpoint)],
    'x-access': access,
    ...(apiId && { 'x-api-id': apiId }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successOf(endpoint), ...refusalsOf(endpoint) },
  }
}

function securityOf({ access, signed }: Endpoint): Json {
  if (access === 'application') return { application: [], appKeySignature: [] }
  return { ...(access !== 'public' && { portalToken: [], portalCookie: [] }), ...(signed && { signature: [] }) }
}

const SIGNED_BY = [{ $ref: '#/components/parameters/timestamp' }, { $ref: '#/components/parameters/uuids' }]

type ObjectSchema = Json & { properties?: Record<string, Json>; required?: string[] }

function schemaOf(type: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any', cycles: 'throw' })
  // Through JSON, because zod attaches functions to the result.
  return JSON.parse(JSON.stringify(schema)) as ObjectSchema
}

function parametersOf({ query, path }: Endpoint): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input')
  return Object.entries(properties).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`)
    return { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name), schema }
  })
}

const FILE = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }

function bodyOf({ body, upload }: Endpoint): Json {
  if (upload) return { required: true, content: { 'multipart/form-data': { schema: FILE } } }
  const schema = schemaOf(body, 'input')
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema } } }
}

function successOf({ answers, output }: Endpoint): Json {
  if (answers === 'redirect')
    return { 302: { description: 'redirect', headers: { location: { schema: { type: 'string' } } } } }
  const data = schemaOf(output, 'output')
  if (answers === 'application/json') return { 200: { description: 'OK', content: { [answers]: { schema: data } } } }
  if (answers) {
    const content = Object.fromEntries(answers.split(', ').map((type) => [type, {}]))
    return { 200: { description: 'OK', content } }
  }
  const total = data.properties?.['total']
  const properties = { state: { const: 200 }, message: { type: 'string' }, data, ...(total && { total }) }
  const schema = { type: 'object', properties, required: ['state', 'message', 'data'] }
  return { 200: { description: 'OK', content: { 'application/json': { schema } } } }
}

function refusalsOf(endpoint: Endpoint): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of errorsOf(endpoint)) {
    const status = declaredErrors().get(code) ?? 500
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const narrowed = { properties: { state: { const: status }, code: { enum: codes } } }
      const schema = { allOf: [{ $ref: '#/components/schemas/Refusal' }, narrowed] }
      return [status, { description: codes.join(', '), content: { 'application/json': { schema } } }]
    }),
  )
}
