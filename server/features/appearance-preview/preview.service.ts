import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type keepPreview, PreviewDraft } from '#shared/contract/themes.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { portalCookieName } from '../sessions/index.ts'

const KIND = 'appearance-preview'
const HOUR_SECONDS = 3600

/** Draft and browser together: a frame sends only its cookie, and another browser's cookie doesn't find the draft. */
function keyOf(platform: Platform, request: FastifyRequest, token: string): string | null {
  const secret = request.cookies[portalCookieName(platform.config)]
  return secret ? createHash('sha256').update(`${token} ${secret}`).digest('base64url') : null
}

/** Stores a draft for frames of the browser that sent it. */
export async function keepPreviewDraft(
  ctx: Context,
  request: FastifyRequest,
  { token: given, draft }: Input<typeof keepPreview>['body'],
): Promise<{ token: string }> {
  const known = given === null ? null : keyOf(ctx, request, given)
  const isKnown = known !== null && (await ctx.state.peek(KIND, known)) !== null
  const token = isKnown && given !== null ? given : randomToken(24)
  const key = keyOf(ctx, request, token)
  if (key) await ctx.state.put(KIND, key, draft, HOUR_SECONDS)
  return { token }
}

/** Null: there is no such draft for this browser. */
export async function findPreviewDraft(
  platform: Platform,
  request: FastifyRequest,
  token: string,
): Promise<PreviewDraft | null> {
  const key = keyOf(platform, request, token)
  const draft = key === null ? null : await platform.state.peek(KIND, key)
  return draft === null ? null : PreviewDraft.parse(draft)
}
