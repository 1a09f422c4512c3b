import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { v4, v7 } from 'uuid'
import { APPLICATION_ICON, AVATAR, type PictureKind, THEME_PICTURE } from '#shared/rules/picture-kind.ts'
import { errors as common, Refusal } from '../../platform/errors.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, callerOf, type Platform, systemContext } from '../../platform/platform.ts'
import { errors } from './files.errors.ts'
import {
  claimFile,
  deleteOtherFiles,
  deletePendingFiles,
  insertPendingFile,
  insertPublicFile,
  insertSharedFile,
  keepSharedFile,
} from './files.store.ts'
import { assertNotBusy, type EncodedPicture, reencodePicture } from './picture-encoding.service.ts'

/** Who sees the files of a purpose without a session: a page shows them before anyone has logged in, or `<img>` asks for them. */
export const PREVIEWED_PURPOSES = ['institution', 'avatar', 'application', 'theme'] as const

/** Uploads an hour: whoever tries on pictures is far below, whoever fills a disk is stopped. */
const MAX_UPLOADS_PER_HOUR = 30
const HOUR_SECONDS = 3600
/** How long an uploaded picture waits to be used. */
const PENDING_MS = 24 * 3_600_000

/** Stores a picture of the institution. @returns its id. */
export async function savePicture(ctx: Context, { bytes, contentType }: EncodedPicture): Promise<string> {
  const id = v7()
  await insertPublicFile(ctx.db, { id, purpose: 'institution', contentType, bytes, at: ctx.now() })
  return id
}

type PictureRules = {
  purpose: 'avatar' | 'application' | 'theme'
  mostBytes: number
  kinds: readonly PictureKind[]
  side: number
  fit?: 'inside' | 'cover'
}

const AVATAR_KIND: PictureRules = { purpose: 'avatar', ...AVATAR }
const ICON_KIND: PictureRules = { purpose: 'application', ...APPLICATION_ICON }
const THEME_KIND: PictureRules = { purpose: 'theme', ...THEME_PICTURE, fit: 'inside' }

/**
 * Takes the caller's new avatar: read within bounds, painted anew, kept until `claimAvatar`. Of each person one waits at most.
 * @throws Refusal `file.too-many-uploads`, `file.too-large`, `file.unreadable-picture`, `file.busy`, `request.malformed`.
 */
export const uploadAvatar = (ctx: Context, request: FastifyRequest) => receivePicture(ctx, request, AVATAR_KIND)

/** Takes an icon for an application, as `uploadAvatar` does, until `claimIcon`. */
export const uploadIcon = (ctx: Context, request: FastifyRequest) => receivePicture(ctx, request, ICON_KIND)

/**
 * Takes a picture of a theme, as `uploadAvatar` does, until `keepThemePicture`. The same picture is kept once, whoever brings it.
 * @throws Refusal `permission.denied` for whoever is no super user.
 */
export function uploadThemePicture(ctx: Context, request: FastifyRequest) {
  if (!callerOf(ctx).isSuperUser) throw common['permission.denied']()
  return receivePicture(ctx, request, THEME_KIND)
}

/** Makes an uploaded picture of a theme last. @returns false when there is no such picture. */
export const keepThemePicture = (ctx: Context, url: string): Promise<boolean> =>
  keepSharedFile(ctx.db, { id: url.slice(fileUrl('').length), purpose: 'theme' })

/** The same bytes have the same id. */
function idOfContent(bytes: Buffer): string {
  const hex = createHash('sha256').update(bytes).digest('hex')
  // A UUID of version 8 says of itself that its bits mean something else (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function receivePicture(
  ctx: Context,
  request: FastifyRequest,
  { purpose, mostBytes, kinds, side, fit = 'cover' }: PictureRules,
): Promise<{ id: string; url: string }> {
  const { userId } = callerOf(ctx)
  assertNotBusy()
  if ((await ctx.state.increment('upload', userId, HOUR_SECONDS)) > MAX_UPLOADS_PER_HOUR) {
    throw errors['file.too-many-uploads']({ retryAfter: HOUR_SECONDS })
  }
  const isPhotograph = purpose === 'theme'
  const picture = await reencodePicture(await readPicture(request, mostBytes), { side, kinds, fit, isPhotograph })
  if (isPhotograph) {
    const id = idOfContent(picture.bytes)
    await insertSharedFile(ctx.db, { id, purpose, ...picture, at: ctx.now() })
    return { id, url: fileUrl(id) }
  }
  // Random throughout: whoever knows the id sees the picture, so it must not be guessable from when it was made.
  const id = v4()
  await insertPendingFile(ctx.sql, { id, purpose, ownerId: userId, ...picture, at: ctx.now() })
  return { id, url: fileUrl(id) }
}

async function readPicture(request: FastifyRequest, mostBytes: number): Promise<Buffer> {
  try {
    return await readUpload(request, mostBytes)
  } catch (error) {
    const tooLarge = error instanceof Refusal && error.status === 413
    throw tooLarge ? errors['file.too-large']({ params: { size: `${mostBytes / 1024 / 1024} MB` } }) : error
  }
}

/**
 * Makes an uploaded icon last. Former ones stay, because an application may be put back to a former state.
 * @returns where a browser finds it. @throws Refusal `file.not-found`.
 */
export async function claimIcon(ctx: Context, id: string, ownerId: string): Promise<string> {
  if (!(await claimFile(ctx.db, { id, ownerId, purpose: 'application' }))) throw errors['file.not-found']()
  return fileUrl(id)
}

/**
 * Makes an uploaded picture the one avatar file of its owner.
 * @throws Refusal `file.not-found` for a file of anybody else or for anything else.
 */
export async function claimAvatar(ctx: Context, id: string, ownerId: string): Promise<void> {
  if (!(await claimFile(ctx.db, { id, ownerId, purpose: 'avatar' }))) throw errors['file.not-found']()
}

/** Deletes a person's avatar files but `keptId`; only after nothing points to them any more. */
export const deleteOtherAvatars = (ctx: Context, ownerId: string, keptId: string | null): Promise<void> =>
  deleteOtherFiles(ctx.db, { ownerId, purpose: 'avatar', keptId })

/** Nightly: what was uploaded and never used. */
export async function purgeUploads(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  await deletePendingFiles(ctx.db, new Date(ctx.now().getTime() - PENDING_MS))
}

/** Where a browser finds a stored file. */
export const fileUrl = (id: string): string => `/auth_service/auth_files/preview_file/${id}`
