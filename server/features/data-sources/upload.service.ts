import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { DataSource } from '#shared/contract/data-sources.ts'
import { MAX_IMPORT_BYTES } from '#shared/contract/user-imports.ts'
import { FILE_TABLE, SOURCE_CONNECTORS } from '../../connectors/index.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { lockResource } from '../resources/index.ts'
import { errors } from './data-sources.errors.ts'
import { sourcesService } from './data-sources.service.ts'
import { replaceFile } from './data-sources.store.ts'

/**
 * Accepts the file of a source, which replaces the previous one only after it is read completely.
 * @throws Refusal `resource.not-found`, `data-source.not-a-file`, `data-source.no-rows`, `sheet.*`.
 */
export async function uploadFile(
  ctx: Context,
  { id, fileName }: { id: string; fileName: string },
  request: FastifyRequest,
): Promise<DataSource> {
  const { kind } = await sourcesService.get(ctx, id)
  if (kind !== 'csv-upload') throw errors['data-source.not-a-file']()
  const bytes = await readUpload(request, MAX_IMPORT_BYTES)
  const source = await SOURCE_CONNECTORS['csv-upload']({ file: async () => bytes })
  const rows = await source.count(FILE_TABLE)
  if (rows === 0) throw errors['data-source.no-rows']()
  const name = fileName.replace(/\p{C}/gu, '')
  const sha256 = createHash('sha256').update(bytes).digest()
  return await transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'data-source')
    const before = await sourcesService.get(inner, id)
    await replaceFile(inner, id, { name, rows, sha256, bytes })
    await recordAudit(inner, {
      action: 'data-source.upload',
      targetKind: 'data-source',
      targetId: id,
      before: { file: before.file?.name ?? null, rows: before.file?.rows ?? 0 },
      after: { file: name, rows, sha256: sha256.toString('hex') },
    })
    return await sourcesService.get(inner, id)
  })
}
