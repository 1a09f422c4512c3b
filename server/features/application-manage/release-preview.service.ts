import type { LoginStep, previewRelease } from '#shared/contract/application-preview.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type Application,
  findApplicationById,
  findApplicationByService,
  type PersonAttributes,
  type ReleasePreview,
  releasedAttributes,
} from '../applications/index.ts'
import { findRuleDenials, judgeApplication, judgeLogin, rulesAgainst } from '../attempts/index.ts'
import { findLoginDemands } from '../password-demands/index.ts'
import { errors } from './application-manage.errors.ts'
import { findPreviewPerson, type PreviewPerson } from './release-preview.store.ts'

/** How each protocol would answer; provided by the protocols, which know their formats. */
export type ReleaseRenderers = Record<
  Application['protocol'],
  (ctx: Context, application: Application, person: PersonAttributes) => ReleasePreview
>

type StepFinding = Omit<LoginStep, 'name' | 'milliseconds'>

const finding = (result: StepFinding['result'], reason: string | null, detail: string | null): StepFinding => ({
  result,
  reason,
  detail,
  until: null,
})
const passed = (reason: string | null = null, detail: string | null = null) => finding('passed', reason, detail)
const refused = (reason: string, detail: string | null = null) => finding('refused', reason, detail)
const warned = (reason: string, detail: string | null = null) => finding('warned', reason, detail)

/**
 * Simulates a login, each step by the code of the real one; writes nothing, opens no session, issues no ticket. @throws Refusal
 * `application.not-found`, `user.not-found`.
 */
export async function previewLogin(
  ctx: Context,
  releases: ReleaseRenderers,
  query: Input<typeof previewRelease>['query'],
) {
  const application = await findApplicationById(ctx, query.id)
  if (!application) throw errors['application.not-found']()
  const person = await findPreviewPerson(ctx.db, query.userId, application.id, ctx.now())
  if (!person || person.deletedAt) throw errors['user.not-found']()
  const steps: LoginStep[] = []
  const step = async (name: LoginStep['name'], look: () => StepFinding | Promise<StepFinding>) => {
    const from = performance.now()
    const found = await look()
    steps.push({ name, ...found, milliseconds: Math.round((performance.now() - from) * 100) / 100 })
  }
  const released = releases[application.protocol](ctx, application, person)
  const attributes = releasedAttributes(application.attributes, person)
  const missing = missingOf(application, attributes)
  await step('address', () => addressFinding(ctx, application, query.address))
  await step('account', () => accountFinding(ctx, person, query.userId))
  await step('access', () => accessFinding(application, person))
  await step('rules', () => rulesFinding(ctx, application, query.userId))
  await step('user-name', () => userNameFinding(application, released))
  await step('release', () => releaseFinding(released, missing))
  await step('logout', () => logoutFinding(application))
  return {
    userName: released.userName,
    attributes: [...attributes].map(([name, values]) => ({ name, values })),
    missing,
    steps,
    answers: released.answers,
  }
}

function missingOf({ attributes }: Application, released: Map<string, string[]>): string[] {
  return attributes.map(({ name }) => name).filter((name) => !released.has(name))
}

async function addressFinding(ctx: Context, application: Application, given?: string): Promise<StepFinding> {
  const registered = application.protocol === 'cas' ? application.serviceUrls : (application.client?.redirectUris ?? [])
  const address = given || registered[0]?.replace(/\*\*$/, '')
  if (!address) return refused('address-none')
  if (application.protocol === 'oauth2') {
    return registered.includes(address) ? passed('address-known', address) : refused('address-unknown', address)
  }
  const found = await findApplicationByService(ctx, address)
  if (!found) return refused('address-unknown', address)
  return found.id === application.id ? passed('address-known', address) : refused('address-other', found.name)
}

async function accountFinding(ctx: Context, person: PreviewPerson, userId: string): Promise<StepFinding> {
  // The rules are a step of their own.
  const [denial] = judgeLogin(ctx.now(), person, false)
  if (denial) return { ...refused(denial.reason), until: toIso(denial.until) }
  if (person.browserHeldUntil) return { ...warned('account.locked-browser'), until: toIso(person.browserHeldUntil) }
  if (!person.hasPassword) return warned('account.password-none')
  const [demand] = await findLoginDemands(ctx, userId)
  return demand ? warned(`account.${demand}`) : passed()
}

async function rulesFinding(ctx: Context, { appId }: Application, userId: string): Promise<StepFinding> {
  const { everywhere, somewhere } = rulesAgainst(await findRuleDenials(ctx, userId), appId)
  if (everywhere.length > 0) return refused('rule.refused', everywhere.join(', '))
  return somewhere.length > 0 ? warned('rule.somewhere', somewhere.join(', ')) : passed()
}

/** About the application only: the account is a separate step. */
function accessFinding({ enabled, type, builtIn }: Application, { granted }: PreviewPerson): StepFinding {
  const reason = judgeApplication({ enabled, granted, isPortal: builtIn })
  return reason ? refused(reason) : passed(type === 'whitelist' ? 'access-everybody' : 'access-granted')
}

function userNameFinding(application: Application, { userName }: ReleasePreview): StepFinding {
  if (userName !== null) return passed(null, userName)
  return refused('no-value', application.userAttribute)
}

function releaseFinding({ answers }: ReleasePreview, missing: readonly string[]): StepFinding {
  if (answers.length === 0) return finding('skipped', null, null)
  return missing.length > 0 ? warned('no-value', missing.join(', ')) : passed()
}

function logoutFinding({ protocol, singleLogout, logoutUrl, client }: Application): StepFinding {
  const target = protocol === 'cas' ? logoutUrl : (client?.backchannelLogoutUri ?? null)
  if (protocol === 'oauth2') return target ? passed('logout-told', target) : warned('logout-none')
  if (singleLogout === 'none') return warned('logout-none')
  return target ? passed('logout-told', target) : passed('logout-to-service')
}
