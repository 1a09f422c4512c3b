import { z } from 'zod'

/** Where `/auth_files/upload/` says that a picture lies. */
export const UploadedPicture = z.string().regex(/^\/auth_service\/auth_files\/preview_file\/[\da-f-]{36}$/)
