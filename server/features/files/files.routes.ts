import { previewFile } from '#shared/contract/files.ts'
import { FILE_POLICY } from '../../platform/http/headers.ts'
import { ANSWERED, type Api } from '../../platform/http/mount.ts'
import { errors } from './files.errors.ts'
import { PUBLIC_PURPOSES } from './files.service.ts'
import { fileById } from './files.store.ts'

export function mountFiles(api: Api): void {
  api.mount(previewFile, async (ctx, { query }, { reply }) => {
    const file = await fileById(ctx.db, query.id, PUBLIC_PURPOSES)
    if (!file) throw errors['file.not-found']()
    // A new picture gets a new id, so this one never changes.
    reply
      .type(file.contentType)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', FILE_POLICY)
      .send(file.bytes)
    return ANSWERED
  })
}
