import type { FastifyReply } from 'fastify'
import { renderLightPage } from '../../features/appearance/index.ts'
import { defineErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'

/** Shown to a person if a request can't be answered to the application that made it. */
export const errors = defineErrors({
  'oidc.client-unknown': 400,
  'oidc.logout-redirect-unknown': 400,
  'oidc.redirect-unknown': 400,
  'oidc.request-expired': 400,
  'oidc.request-wrong': 400,
})

const ERROR_CODES: Record<string, keyof typeof errors> = {
  invalid_client: 'oidc.client-unknown',
  invalid_redirect_uri: 'oidc.redirect-unknown',
}

const toErrorCode = ({ error, error_description }: { error: string; error_description?: string | undefined }) =>
  /expired|not found|mismatch/.test(error_description ?? '') && error === 'invalid_request'
    ? 'oidc.request-expired'
    : (ERROR_CODES[error] ?? 'oidc.request-wrong')

/** Tells a person what is wrong, on our own origin: the request contains no trustworthy redirect address. */
export function renderRefusal(
  ctx: Context,
  { request, reply }: Exchange,
  refusal: { error: string; error_description?: string | undefined },
  status: number,
): Promise<FastifyReply> {
  const params = { reason: refusal.error_description ?? refusal.error }
  return renderLightPage(
    ctx,
    request,
    reply,
    {
      kind: 'notice',
      name: 'refused',
      application: null,
      person: null,
      error: { code: toErrorCode(refusal), params },
      requestId: request.id,
      actions: [{ text: { key: 'notice.to-portal' }, href: '/auth_web/', primary: true }],
    },
    { status },
  )
}

/** `response_mode=form_post`: the answer is sent in a form instead of a URL. */
export function renderFormPost(
  ctx: Context,
  { request, reply }: Exchange,
  { href, fields }: { href: string; fields: Record<string, string> },
  status: number,
): Promise<FastifyReply> {
  const page = { kind: 'post', href, fields, application: null } as const
  return renderLightPage(ctx, request, reply, page, { status, formTargets: [new URL(href).origin] })
}
