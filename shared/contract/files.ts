import { z } from 'zod'
import { get, Id } from './endpoint.ts'

export const previewFile = get('/auth_files/preview_file/{id}', 'public', z.strictObject({ id: Id }), z.null(), {
  summary: 'A picture that pages show before anyone has logged in; answers the file itself',
  errors: ['file.not-found'],
  signed: false,
})
