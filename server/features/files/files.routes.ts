import { downloadFile, previewFile, uploadFile } from '#shared/contract/files.ts'
import { FILE_POLICY } from '../../platform/http/headers.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import { callerOf } from '../../platform/platform.ts'
import { errors } from './files.errors.ts'
import { PREVIEWED_PURPOSES, uploadAvatar, uploadThemePicture } from './files.service.ts'
import { findFile, findOwnedFile } from './files.store.ts'

export function mountFiles(api: Api): void {
  api.mount(uploadFile, (ctx, { query }, { request }) =>
    query.purpose === 'theme' ? uploadThemePicture(ctx, request) : uploadAvatar(ctx, request),
  )

  api.mount(previewFile, async (ctx, { query }, { reply }) => {
    const file = await findFile(ctx.db, query.id, PREVIEWED_PURPOSES)
    if (!file) throw errors['file.not-found']()
    // A new picture gets a new id, so this one never changes; shared caches must not store it.
    reply
      .type(file.contentType)
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('content-security-policy', FILE_POLICY)
      .send(file.bytes)
    return REPLY_SENT
  })

  api.mount(downloadFile, async (ctx, { query }, { reply }) => {
    const file = await findOwnedFile(ctx.db, query.id, callerOf(ctx).userId)
    if (!file) throw errors['file.not-found']()
    const name = `${file.purpose}.${file.contentType === 'image/png' ? 'png' : 'jpg'}`
    reply
      .type(file.contentType)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('content-security-policy', FILE_POLICY)
      .send(file.bytes)
    return REPLY_SENT
  })
}
