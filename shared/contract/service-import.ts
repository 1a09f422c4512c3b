import { z } from 'zod'
import { Protocol } from './application-fields.ts'
import { post } from './endpoint.ts'

/** A selected file; an array in it counts as several services. */
const ServiceFile = z.strictObject({ name: z.string().min(1).max(255), text: z.string().max(1_000_000) })

/** The result for one service of a file. */
const ImportedService = z.object({
  file: z.string(),
  /** The name in the file. */
  name: z.string(),
  result: z.enum(['new', 'refused']),
  /** Each has the message `service-import.reason.<name>`. */
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  appId: z.string().nullable(),
  protocol: Protocol.nullable(),
  addresses: z.array(z.string()),
  attributes: z.array(z.string()),
  /** What was changed on import: each has the message `service-import.note.<name>`. */
  notes: z.array(z.object({ name: z.string(), detail: z.string() })),
  /** Keys of the file that are not supported. */
  ignored: z.array(z.string()),
})
export type ImportedService = z.infer<typeof ImportedService>

const ImportReport = z.object({
  services: z.array(ImportedService),
  fresh: z.number().int(),
  refused: z.number().int(),
})

const Files = z.strictObject({ files: z.array(ServiceFile).min(1).max(500) })
const MAX_IMPORT_BYTES = 4 * 1024 * 1024

export const checkServiceFiles = post('/application_manage/import/check/', 'superUser', Files, ImportReport, {
  summary: 'Preview an import of service files of Apereo CAS; nothing is written',
  errors: ['service-import.too-many'],
  mostBodyBytes: MAX_IMPORT_BYTES,
})

export const importServiceFiles = post('/application_manage/import/run/', 'superUser', Files, ImportReport, {
  summary: 'Import service files of Apereo CAS: all valid services, in one step',
  errors: ['service-import.too-many', 'application.code-taken', 'application.client-id-taken'],
  mostBodyBytes: MAX_IMPORT_BYTES,
})
