import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, Refusal } from '../errors.ts'

/** Room for the boundaries and headers around the one file. */
const ENVELOPE_BYTES = 4096

/** Lets a scope accept one file of at most `maxBytes`; everything else in the form is limited tightly. */
export async function acceptUploads(scope: FastifyInstance, maxBytes: number): Promise<void> {
  await scope.register(multipart, {
    limits: { fileSize: maxBytes, files: 1, fields: 4, fieldSize: 200, fieldNameSize: 100, parts: 5, headerPairs: 20 },
  })
}

/**
 * The bytes of the one file in a request. Its name and type are client claims and ignored.
 * @throws Refusal `request.unsupported-media-type`, `request.too-large`, `request.malformed`.
 */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  if (!request.isMultipart?.()) throw errors['request.unsupported-media-type']()
  if (Number(request.headers['content-length']) > maxBytes + ENVELOPE_BYTES) throw errors['request.too-large']()
  try {
    const part = await request.file({ limits: { fileSize: maxBytes } })
    if (!part) throw errors['request.malformed']()
    // On its own the parser reads such a file to its end before it complains.
    const tooLarge = new Promise<never>((_, refuse) => {
      part.file.once('limit', () => refuse(errors['request.too-large']()))
    })
    return await Promise.race([part.toBuffer(), tooLarge])
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw errors[(error as { statusCode?: number }).statusCode === 413 ? 'request.too-large' : 'request.malformed']()
  }
}
