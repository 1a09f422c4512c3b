import { z } from 'zod'
import { THEME_PICTURE } from '../rules/picture-kind.ts'
import { Empty, get, Id, post } from './endpoint.ts'

/** The purpose of an upload; each has its own limits. */
const Purpose = z.enum(['avatar', 'theme'])

export const uploadFile = post(
  '/auth_files/upload/',
  'completing',
  Empty,
  z.object({ id: Id, /** Its address for browsers. */ url: z.string() }),
  {
    query: z.strictObject({ purpose: Purpose.default('avatar') }),
    summary:
      'Upload a picture (png or jpg by content, of a theme webp too); it waits a day to be used, and the next avatar replaces it. Pictures of themes are for super users',
    errors: ['file.too-large', 'file.unreadable-picture', 'file.too-many-uploads', 'request.malformed', 'file.busy'],
    upload: true,
    mostBodyBytes: THEME_PICTURE.mostBytes,
  },
)

export const previewFile = get('/auth_files/preview_file/{id}', 'public', z.strictObject({ id: Id }), z.null(), {
  summary: 'A picture that pages show before anyone has logged in, or an avatar; answers the file itself',
  errors: ['file.not-found'],
  signed: false,
})

export const downloadFile = get('/auth_files/download/{id}', 'user', z.strictObject({ id: Id }), z.null(), {
  summary: 'A file of my own, to be saved; answers the file itself',
  errors: ['file.not-found'],
  signed: false,
})
