import {
  type AccessRule,
  type RULE_DIMENSIONS,
  RULE_OUTCOMES,
  type SettingsRuleKey,
  type testAccessRules,
} from '#shared/contract/access-rules.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { formatIpAddress, parseIpAddress } from '../../platform/ip-network.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type AccessPerson,
  decideAccess,
  failedDimensions,
  findAccessPerson,
  judgeRules,
  needsOf,
  PORTAL_APP_ID,
} from '../access/index.ts'
import { findAccountDenials } from '../attempts/index.ts'
import { clientAddress, rangesOf } from '../records/index.ts'
import { errors } from './access-rules.errors.ts'
import { accessSettings } from './access-rules.service.ts'
import { isApplication, listRuleRows } from './access-rules.store.ts'

type RuleTestInput = Input<typeof testAccessRules>['body']
type Answer = Output<typeof testAccessRules>
type RuleDimension = (typeof RULE_DIMENSIONS)[number]

/** What every rule says about the login described, and which one decides; writes nothing. */
export async function testRules(
  ctx: Context,
  { userId, ip, at, appId = PORTAL_APP_ID }: RuleTestInput,
): Promise<Answer> {
  if (!(await isApplication(ctx.db, appId))) throw errors['application.not-found']({ data: { fields: ['appId'] } })
  const rows = await listRuleRows(ctx)
  const judged = await judgeRules(ctx.db, rows)
  const needs = needsOf(judged)
  const person: AccessPerson | null = userId ? await findAccessPerson(ctx.db, userId, needs, ctx.now()) : null
  if (userId && !person) throw errors['user.not-found']({ data: { fields: ['userId'] } })
  const { place, range, shownIp } = await placeOf(ctx, ip)
  const facts = { person, place, at: at ? new Date(at) : ctx.now(), appId }
  const { suspended } = await accessSettings(ctx)
  const denials = userId ? await findAccountDenials(ctx, userId, facts.at) : []
  const { outcome, decidedBy } = decideAccess(suspended ? [] : judged, facts)
  const rules = judged.map((rule, index) => {
    const unless = rows[index] ? unlessOf(rows[index], failedDimensions(rule, facts)) : []
    const { id, mode, outcome: then } = rule
    return { id, shownName: rows[index]?.shownName ?? '', mode, outcome: then, applies: unless.length === 0, unless }
  })
  const rank = (one: (typeof rules)[number]) => (one.applies ? 0 : 10) + RULE_OUTCOMES.indexOf(one.outcome)
  return {
    suspended,
    obstacles: denials.map(({ reason }) => reason),
    ip: shownIp,
    range,
    outcome,
    decidedBy: decidedBy?.id ?? null,
    rules: rules.toSorted((a, b) => rank(a) - rank(b)),
  }
}

/** Lists of the login configuration: empty means nobody, whereas an empty list of an access rule means everybody. */
const LISTS: Partial<Record<SettingsRuleKey, RuleDimension>> = {
  secondFactorCategories: 'who',
  secondFactorApplications: 'applications',
}

function unlessOf({ settingsKey, references }: AccessRule, failed: readonly RuleDimension[]): RuleDimension[] {
  const list = settingsKey && references.length === 0 ? LISTS[settingsKey] : undefined
  return list ? [list] : [...failed]
}

/** @throws Refusal `ip-range.bad-address`. */
async function placeOf(ctx: Context, ip: RuleTestInput['ip']) {
  if (ip === null) return { place: null, range: null, shownIp: null }
  const address = ip === undefined ? clientAddress(ctx.client.ip) : parseIpAddress(ip)
  if (!address) throw errors['ip-range.bad-address']({ data: { fields: ['ip'] } })
  const entry = (await rangesOf(ctx, address))[0]?.entry ?? null
  const { language } = ctx.client
  return {
    place: { rangeId: entry?.id ?? null, rangeKind: entry?.kind ?? null },
    range: entry && { id: entry.id, shownName: entry.names[language] ?? entry.name, kind: entry.kind },
    shownIp: formatIpAddress(address),
  }
}
