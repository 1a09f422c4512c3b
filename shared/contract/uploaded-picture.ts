import { z } from 'zod'

/** The path of a picture, as returned by `/auth_files/upload/`. */
export const UploadedPicture = z.string().regex(/^\/auth_service\/auth_files\/preview_file\/[\da-f-]{36}$/)
