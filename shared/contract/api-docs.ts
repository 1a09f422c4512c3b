import { z } from 'zod'
import { Empty, get, Language } from './endpoint.ts'

/** Generated from the contract that validates the requests, so both always agree. */
export const getOpenApi = get('/openapi.json', 'public', Empty, z.record(z.string(), z.unknown()), {
  summary: 'This API as an OpenAPI 3.1 document',
  signed: false,
  answers: 'application/json',
})

export const getApiDocs = get(
  '/docs',
  'public',
  z.strictObject({ search: z.string().trim().max(100).default(''), lang: Language.optional() }),
  z.null(),
  { summary: 'This API as a readable page', signed: false, answers: 'text/html' },
)
