import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from '../../platform/crypto.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import { REPLY_SENT } from '../../platform/http/mount.ts'

/** Did a vendor's page return inside its frame? Login cookies are not sent there. */
export const isInFrame = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] === 'iframe'

/** Passes its own address to the parent page, if that is one of ours, and to nobody else. */
export function renderFrameReturn(reply: FastifyReply): typeof REPLY_SENT {
  const nonce = randomToken(24)
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': pagePolicy({ nonce, isPreview: true }), 'x-frame-options': 'SAMEORIGIN' })
    .send(
      `<!doctype html><meta charset="utf-8"><title>…</title><script nonce="${nonce}">parent.postMessage(location.href, location.origin)</script>\n`,
    )
  return REPLY_SENT
}
