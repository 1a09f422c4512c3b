import type { FastifyReply } from 'fastify'
import type { ApplicationLabel, LightAction, NoticePage } from '#shared/contract/light-page.ts'
import { withoutTicket } from '#shared/rules/redirect-target.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import type { Application } from '../../features/applications/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'

/** The base path of the central authentication service. */
export const CAS_PATH = '/fwk_cas_service'
export const LOGIN_PATH = `${CAS_PATH}/login`
export const LOGOUT_PATH = `${CAS_PATH}/logout`
/** The content type of an answer to HEAD, which renders no page. */
export const HTML_TYPE = 'text/html; charset=utf-8'
const PORTAL_PATH = '/auth_web/'

export const labelOf = (application: Pick<Application, 'name' | 'names'>): ApplicationLabel => ({
  name: application.name,
  names: application.names,
})

const toPortal: LightAction = { text: { key: 'notice.to-portal' }, href: PORTAL_PATH, primary: true }

type NoticeOptions = Pick<NoticePage, 'name'> &
  Partial<Omit<NoticePage, 'kind' | 'name'>> & {
    status?: number
    /** Target of its language links; default: this request's own address. */
    self?: string
  }

/** A page with a message, and a link to the portal unless told otherwise. */
export function renderNotice(
  platform: Platform,
  { request, reply }: Exchange,
  { status = 200, self, ...notice }: NoticeOptions,
): Promise<FastifyReply> {
  const defaults = { application: null, person: null, error: null, requestId: request.id, actions: [toPortal] }
  const page = { kind: 'notice', ...defaults, ...notice } as const
  return renderLightPage(platform, request, reply, page, { status, ...(self !== undefined && { self }) })
}

/**
 * Asks before a ticket is issued (`warn`). `href` carries a single-use code bound to this session. A link and not a form, because Chromium
 * applies a form's CSP to all redirects, and applications redirect to anywhere.
 */
export function renderContinue(
  platform: Platform,
  { request, reply }: Exchange,
  application: Application,
  href: string,
): Promise<FastifyReply> {
  const go: LightAction = { text: { key: 'confirm.continue.yes' }, href, primary: true }
  const stay: LightAction = { text: { key: 'confirm.continue.no' }, href: PORTAL_PATH }
  const page = { kind: 'confirm', name: 'continue', application: labelOf(application), person: null } as const
  return renderLightPage(platform, request, reply, { ...page, actions: [go, stay] })
}

/** Asks before a logout triggered by another site's page. A link, for the reason above: from our own page it logs out. */
export function renderConfirmLogout(
  platform: Platform,
  { request, reply }: Exchange,
  href: string,
): Promise<FastifyReply> {
  const leave: LightAction = { text: { key: 'confirm.log-out.yes' }, href }
  const stay: LightAction = { text: { key: 'confirm.log-out.no' }, href: PORTAL_PATH, primary: true }
  const page = { kind: 'confirm', name: 'log-out', application: null, person: null } as const
  // Choosing another language on this page must ask again instead of logging the user out.
  const self = `${href}${href.includes('?') ? '&' : '?'}ask=1`
  return renderLightPage(platform, request, reply, { ...page, actions: [stay, leave] }, { self })
}

/** CAS `method=POST`: passes the ticket in a form instead of the URL. */
export function renderTicketForm(
  platform: Platform,
  { request, reply }: Exchange,
  application: Application,
  service: string,
  ticket: string,
): Promise<FastifyReply> {
  const href = withoutTicket(service)
  const page = { kind: 'post', href, fields: { ticket }, application: labelOf(application) } as const
  return renderLightPage(platform, request, reply, page, { formTargets: [new URL(service).origin] })
}
