import { v7 } from 'uuid'
import type { PersonVerb } from '#shared/contract/user-verbs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { insertAppointment } from '../administrators/index.ts'
import { insertIpRanges } from '../ip-ranges/index.ts'
import { insertPastAudits, insertPastLogins, insertPastVisits, type PastAudit } from '../records/index.ts'
import { backfillLastLogins, markDormant, updateByVerb, type VerbChange } from '../user-accounts/index.ts'
import { findAppointment, listApplicationIds, listUserIds } from './demo.store.ts'
import { demoApplications } from './demo-applications.rules.ts'
import { createRandomSource } from './demo-random.rules.ts'
import { type DemoUser, demoRecords } from './demo-records.rules.ts'

/** The networks that logins of the demo school come from: `addressOf` in demo-records.rules.ts. */
const RANGES = [
  {
    name: '校园网',
    names: { en: 'Campus network', zh_TW: '校園網路' },
    kind: 'campus',
    networks: ['10.0.0.0/8', 'fd00::/8'],
  },
  {
    name: '图书馆',
    names: { en: 'Library', zh_TW: '圖書館' },
    kind: 'campus',
    networks: ['10.20.8.0/21'],
    note: '阅览室和自助机',
  },
  { name: '学生宿舍', names: { en: 'Dormitories', zh_TW: '學生宿舍' }, kind: 'campus', networks: ['10.20.32.0/19'] },
  {
    name: '附属医院',
    names: { en: 'Teaching hospital', zh_TW: '附設醫院' },
    kind: 'trusted',
    networks: ['198.51.100.0/24'],
  },
] as const

type Person = DemoUser & { category: string | null }

/** The last two weeks of the demo school: logins, visits, and a few accounts that need attention. */
export async function writeHistory(ctx: Context): Promise<void> {
  const now = ctx.now()
  const people = [...(await listUserIds(ctx.db))]
  const admin = people.find(({ account }) => account === 'admin')
  if (!admin) throw new Error('the demo school has no administrator')
  const others = people.filter(({ account }) => /^[\dTSV]/.test(account))
  const quiet = await writeStates(ctx, admin, others)
  const visitable = await applicationsByCategory(ctx)
  const active = others.filter(({ id }) => !quiet.has(id))
  const categories = new Map(active.map(({ id, category }) => [id, category]))
  const { logins, visits } = demoRecords(now, active, ({ id }) => visitable(categories.get(id) ?? null))
  // Before the logins, which are written with the name of their range.
  await insertIpRanges(
    ctx.db,
    RANGES.map((range) => ({ id: v7(), ...range })),
    'manual',
    now,
  )
  await insertPastLogins(ctx.db, logins)
  await backfillLastLogins(ctx.db)
  await insertPastVisits(ctx.db, visits)
  await insertAppointment(ctx.db, {
    id: v7(),
    ...(await findAppointment(ctx.db, 'hanmeimei', 'information')),
    permissions: ['edit', 'unlock', 'reset', 'authorise'],
    validFrom: null,
    validUntil: null,
    by: admin.id,
    at: new Date(now.getTime() - 5 * DAY_MS),
  })
}

/** The ids of the applications that people of a category may open, approximately. */
async function applicationsByCategory(ctx: Context) {
  const idOf = new Map((await listApplicationIds(ctx.db)).map(({ appId, id }) => [appId, id]))
  const applications = demoApplications({ library: '', learning: '', vendors: {}, mailboxes: {} })
  return (category: string | null): string[] =>
    applications
      .filter(({ authorized }) => !authorized || authorized.categories?.includes(category ?? ''))
      .flatMap(({ appId }) => idOf.get(appId) ?? [])
}

/** Locks, freezes and makes dormant a few people, with audit records. @returns the ids of people who can't have logged in */
async function writeStates(ctx: Context, admin: Person, others: readonly Person[]): Promise<Set<string>> {
  const now = ctx.now()
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const chance = createRandomSource(3)
  const chosen = (from: number, count: number) => others.slice(from, from + count).map(({ id }) => id)
  const locked = chosen(40, 4)
  const frozen = chosen(620, 3)
  const suspended = chosen(905, 2)
  const dormant = chosen(1300, 12)
  const change = (
    verb: PersonVerb,
    ids: string[],
    made: Pick<VerbChange, 'at' | 'reason' | 'cause'> & { until?: Date },
  ) => updateByVerb(ctx.db, verb, ids, { from: null, until: null, by: admin.id, ...made })
  await change('lock', locked, { at: ago(3), reason: '账号疑似被盗用，核实后解锁' })
  await change('freeze', frozen, { at: ago(9), until: ago(-60), reason: '休学', cause: 'leave' })
  await change('freeze', suspended, { at: ago(5), reason: '离职手续办理中' })
  await markDormant(ctx.db, dormant, ago(21), ago(201))
  const line = (action: string, targetId: string, days: number, reason: string): PastAudit => {
    const at = new Date(ago(days).getTime() - chance.int(6) * 60_000)
    return {
      id: v7({ msecs: at.getTime() }),
      at: at.toISOString(),
      actorId: admin.id,
      action,
      targetKind: 'user',
      targetId,
      reason,
    }
  }
  await insertPastAudits(ctx.db, [
    ...locked.map((id) => line('account.lock', id, 3, '账号疑似被盗用，核实后解锁')),
    ...frozen.map((id) => line('account.freeze', id, 9, '休学')),
    ...suspended.map((id) => line('account.freeze', id, 5, '离职手续办理中')),
  ])
  return new Set([...locked, ...frozen, ...suspended, ...dormant])
}
