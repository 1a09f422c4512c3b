import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { ActivationRules } from '#shared/contract/activation.ts'
import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { LightError, LoginPage, NoticePage } from '#shared/contract/light-page.ts'
import type { LoginPageSettings } from '#shared/contract/login-page.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { type Application, clientOrigins, findApplicationByService } from '../applications/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { renderLightPage } from './light-page.render.ts'
import { collectLoginOptions } from './login-options.service.ts'
import { DEFAULT_LOGIN_PAGE, loadLoginPage } from './login-page-setup.service.ts'
import { isSafeMode } from './look.service.ts'

type LoginPageInput = {
  service: string | null
  /** Other CAS parameters that the form passes on, such as `renew` and `method`. */
  carry?: Record<string, string>
  username?: string
  /** The login method that was tried, or that a link without script requests; default: the one last used in this browser. */
  type?: string | undefined
  error?: LightError | null
  /** The kind that must be solved before the next attempt. */
  captcha?: CaptchaKind | null
  status?: number
}

/** The form's URL: CAS reads `service` and related parameters from the query, as for the GET. */
export function addressWith(path: string, attempt: Pick<LoginPageInput, 'service' | 'carry'>): string {
  const query = new URLSearchParams(attempt.carry)
  if (attempt.service !== null) query.set('service', attempt.service)
  return query.size > 0 ? `${path}?${query}` : path
}

/** Set by the login page after a successful login. */
const LAST_TYPE_COOKIE = 'gatehouse_login_type'

const preselectType = (types: LoginPage['types'], wanted: string | undefined): LoginPage['type'] =>
  types.find((type) => type === wanted) ?? types[0] ?? 'user'

export const applicationLabel = (application: Application) => ({ name: application.name, names: application.names })

/**
 * Answers with the login page: empty, or after a failed attempt without script (`error`, `username`, `captcha`, `status`). An unregistered
 * or disabled service gets its notice instead, with 403.
 */
export async function renderLoginPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: LoginPageInput,
): Promise<FastifyReply> {
  const { service } = attempt
  const application = service === null ? null : await findApplicationByService(platform, service)
  if (service !== null && !application?.enabled) {
    return renderLightPage(platform, request, reply, refusedServiceNotice(request, application), { status: 403 })
  }
  const page = await buildLoginPage(platform, request, attempt, application)
  return renderLightPage(platform, request, reply, page, {
    status: attempt.status ?? 200,
    formTargets: formTargetsOf(service, application),
    self: addressWith('/auth_web/login', attempt),
  })
}

/**
 * The login page with every login method available now.
 * @param draft of its layout, instead of what is stored.
 */
export async function buildLoginPage(
  platform: Platform,
  request: FastifyRequest,
  attempt: LoginPageInput,
  application: Application | null,
  draft?: LoginPageSettings,
): Promise<LoginPage> {
  const { service } = attempt
  const [policy, options, { defaultMethod, hidden }] = await Promise.all([
    signInPolicy(platform),
    collectLoginOptions(platform, request, service),
    isSafeMode(request) ? DEFAULT_LOGIN_PAGE : (draft ?? loadLoginPage(platform)),
  ])
  // Where nobody can choose, an earlier choice doesn't count; a draft is shown as to a first-time visitor.
  const lastType = draft || hidden.includes('methods') ? undefined : request.cookies[LAST_TYPE_COOKIE]
  return {
    kind: 'login',
    action: addressWith('/fwk_cas_service/login', attempt),
    service,
    application: application && !application.builtIn ? applicationLabel(application) : null,
    username: attempt.username ?? '',
    error: attempt.error ?? null,
    captcha: initialCaptcha(policy, attempt),
    rememberMeLongSecond: policy.rememberMeLongSecond,
    warnOffered: true,
    activation: (await readSettings(platform, 'activation', ActivationRules)).offered,
    ...options,
    // The method that comes first, unless another is requested or was used before.
    types: options.types.toSorted((a, b) => Number(b === defaultMethod) - Number(a === defaultMethod)),
    type: preselectType(options.types, attempt.type ?? lastType ?? defaultMethod),
  }
}

/** What a failed attempt requires next; if the policy requires a captcha from the first attempt on, the page shows it at once. */
function initialCaptcha(policy: SignInPolicy, { captcha }: LoginPageInput): LoginPage['captcha'] {
  const { captchaAfterFailures, captchaOn, captchaKind } = policy
  const kind = captcha ?? (captchaAfterFailures === 0 && captchaOn.includes('login') ? captchaKind : null)
  return kind && { kind, pictureId: v7() }
}

/** Where a login form may lead by redirect. */
export const formTargetsOf = (service: string | null, application: Application | null): string[] =>
  service === null ? [] : [new URL(service).origin, ...clientOrigins(application)]

const refusedServiceNotice = (request: FastifyRequest, application: Application | null): NoticePage => ({
  kind: 'notice',
  name: application ? 'application-disabled' : 'application-unknown',
  application: application && applicationLabel(application),
  person: null,
  error: null,
  requestId: request.id,
  actions: [{ text: { key: 'notice.to-portal' }, href: '/auth_web/', primary: true }],
})
