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
  /** Other CAS parameters that the form hands on, such as `renew` and `method`. */
  carry?: Record<string, string>
  username?: string
  /** The way in that was tried, or that a link without script asks for; default: the one that was used last in this browser. */
  type?: string | undefined
  error?: LightError | null
  /** The kind that must be solved before the next try. */
  captcha?: CaptchaKind | null
  status?: number
}

/** The form's address: CAS reads `service` and its companions from the query, as it does for the GET. */
export function addressWith(path: string, attempt: Pick<LoginPageInput, 'service' | 'carry'>): string {
  const query = new URLSearchParams(attempt.carry)
  if (attempt.service !== null) query.set('service', attempt.service)
  return query.size > 0 ? `${path}?${query}` : path
}

/** Written by the login page once a way in has led in. */
const LAST_TYPE_COOKIE = 'gatehouse_login_type'

const preselectType = (types: LoginPage['types'], wanted: string | undefined): LoginPage['type'] =>
  types.find((type) => type === wanted) ?? types[0] ?? 'user'

export const applicationLabel = (application: Application) => ({ name: application.name, names: application.names })

/**
 * Answers with the login page: empty, or after a refused try without script (`error`, `username`, `captcha`, `status`).
 * A service that is not registered or disabled gets its notice instead, with 403.
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
 * The login page with every way in that there is now.
 * @param draft of its layout, in place of what is stored.
 */
export async function buildLoginPage(
  platform: Platform,
  request: FastifyRequest,
  attempt: LoginPageInput,
  application: Application | null,
  draft?: LoginPageSettings,
): Promise<LoginPage> {
  const { service } = attempt
  const [policy, ways, { firstWay, hidden }] = await Promise.all([
    signInPolicy(platform),
    collectLoginOptions(platform, request, service),
    isSafeMode(request) ? DEFAULT_LOGIN_PAGE : (draft ?? loadLoginPage(platform)),
  ])
  // Where nobody can choose, nobody is held to what they once chose; a draft is shown as to whoever comes first.
  const lastType = draft || hidden.includes('ways') ? undefined : request.cookies[LAST_TYPE_COOKIE]
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
    ...ways,
    // The way that stands first, unless somebody asks for another or came in by another before.
    types: ways.types.toSorted((a, b) => Number(b === firstWay) - Number(a === firstWay)),
    type: preselectType(ways.types, attempt.type ?? lastType ?? firstWay),
  }
}

/** What a refused try demands next; where the policy demands a captcha from the first try on, the page shows it at once. */
function initialCaptcha(policy: SignInPolicy, { captcha }: LoginPageInput): LoginPage['captcha'] {
  const { captchaAfterFailures, captchaOn, captchaKind } = policy
  const kind = captcha ?? (captchaAfterFailures === 0 && captchaOn.includes('login') ? captchaKind : null)
  return kind && { kind, pictureId: v7() }
}

/** Where a form that logs in may lead, by redirect. */
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
