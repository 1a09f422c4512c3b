import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { v4, v7 } from 'uuid'
import { APPLICATION_ICON, AVATAR, type PictureKind, THEME_PICTURE } from '#shared/rules/picture-kind.ts'
import { Refusal } from '../../platform/errors.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, callerOf, type Platform, systemContext } from '../../platform/platform.ts'
import { requireSuperUser } from '../access/index.ts'
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

/** Purposes whose files are visible without a session: a page shows them before a login, or `<img>` requests them. */
export const PREVIEWED_PURPOSES = ['institution', 'avatar', 'application', 'theme'] as const

/** Uploads per hour: far above trying out pictures, low enough to stop filling the disk. */
const MAX_UPLOADS_PER_HOUR = 30
const HOUR_SECONDS = 3600
/** How long an uploaded picture is kept before it is used. */
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
 * Accepts the caller's new avatar: limited in size, re-encoded, kept until `claimAvatar`. At most one per person is pending.
 * @throws Refusal `file.too-many-uploads`, `file.too-large`, `file.unreadable-picture`, `file.busy`, `request.malformed`.
 */
export const uploadAvatar = (ctx: Context, request: FastifyRequest) => receivePicture(ctx, request, AVATAR_KIND)

/** Accepts an icon for an application, as `uploadAvatar` does, until `claimIcon`. */
export const uploadIcon = (ctx: Context, request: FastifyRequest) => receivePicture(ctx, request, ICON_KIND)

/**
 * Accepts a picture for a theme, as `uploadAvatar` does, until `keepThemePicture`. The same picture is stored once, whoever uploads it.
 * @throws Refusal `permission.denied` unless the caller is a super user.
 */
export function uploadThemePicture(ctx: Context, request: FastifyRequest) {
  requireSuperUser(ctx)
  return receivePicture(ctx, request, THEME_KIND)
}

/** Makes an uploaded picture of a theme permanent. @returns false if there is no such picture */
export const keepThemePicture = (ctx: Context, url: string): Promise<boolean> =>
  keepSharedFile(ctx.db, { id: url.slice(fileUrl('').length), purpose: 'theme' })

/** The same bytes have the same id. */
function idOfContent(bytes: Buffer): string {
  const hex = createHash('sha256').update(bytes).digest('hex')
  // UUID version 8 is the one for custom bit layouts (RFC 9562).
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
  // Completely random: whoever knows the id can see the picture, so it must not be guessable from its creation time.
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
 * Makes an uploaded icon permanent. Former ones stay, because an application may be rolled back.
 * @returns its URL path. @throws Refusal `file.not-found`.
 */
export async function claimIcon(ctx: Context, id: string, ownerId: string): Promise<string> {
  if (!(await claimFile(ctx.db, { id, ownerId, purpose: 'application' }))) throw errors['file.not-found']()
  return fileUrl(id)
}

/**
 * Makes an uploaded picture the one avatar file of its owner.
 * @throws Refusal `file.not-found` for another owner's file or another purpose.
 */
export async function claimAvatar(ctx: Context, id: string, ownerId: string): Promise<void> {
  if (!(await claimFile(ctx.db, { id, ownerId, purpose: 'avatar' }))) throw errors['file.not-found']()
}

/** Deletes a person's avatar files except `keptId`; only after nothing refers to them any more. */
export const deleteOtherAvatars = (ctx: Context, ownerId: string, keptId: string | null): Promise<void> =>
  deleteOtherFiles(ctx.db, { ownerId, purpose: 'avatar', keptId })

/** Nightly: deletes what was uploaded and never used. */
export async function purgeUploads(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  await deletePendingFiles(ctx.db, new Date(ctx.now().getTime() - PENDING_MS))
}

/** The URL path of a stored file. */
export const fileUrl = (id: string): string => `/auth_service/auth_files/preview_file/${id}`
