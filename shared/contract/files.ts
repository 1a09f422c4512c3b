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
      'Upload a picture (png or jpg by content, for a theme also webp); it is kept for a day until it is used, and the next avatar replaces it. Pictures of themes are for super users',
    errors: ['file.too-large', 'file.unreadable-picture', 'file.too-many-uploads', 'request.malformed', 'file.busy'],
    upload: true,
    mostBodyBytes: THEME_PICTURE.mostBytes,
  },
)

export const previewFile = get('/auth_files/preview_file/{id}', 'public', z.strictObject({ id: Id }), z.null(), {
  summary: 'A public picture or an avatar; returns the file itself',
  errors: ['file.not-found'],
  signed: false,
})

export const downloadFile = get('/auth_files/download/{id}', 'user', z.strictObject({ id: Id }), z.null(), {
  summary: 'Download a file of my own; returns the file itself',
  errors: ['file.not-found'],
  signed: false,
})
