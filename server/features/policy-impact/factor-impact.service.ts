import { FACTOR_FIGURES, type FactorFigureKey, IMPACT_ROWS, type ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type JudgedRule,
  judgeRules,
  listStoredRules,
  mustHaveSecondFactor,
  needsOf,
  settingsRules,
} from '../access/index.ts'
import { toFigures } from './access-figures.service.ts'
import { type Alike, listAlike } from './factor-impact.store.ts'
import { toRow } from './impact-figures.rules.ts'
import { readEverybody } from './look-back.service.ts'
import { placesAsTheyAre } from './places.service.ts'
import { listPeople } from './policy-impact.store.ts'
import { replayLogins } from './replay.service.ts'
import { listFacts } from './replay.store.ts'

type Rules = Record<'before' | 'after', readonly JudgedRule[]>

/** One reading of everybody. */
const TIME_MS = 2500

/** Who must have a second factor then, and need not now, and which logins of the last days would have been asked for it. */
export async function predictFactors(
  ctx: Context,
  policies: Record<'before' | 'after', SignInPolicy>,
): Promise<ImpactFigure[]> {
  const stored = await listStoredRules(ctx.db)
  const judged = (policy: SignInPolicy) => judgeRules(ctx.db, [...settingsRules(policy), ...stored])
  const rules = { before: await judged(policies.before), after: await judged(policies.after) }
  const change = { ...rules, placesOf: await placesAsTheyAre(ctx) }
  const [people, replayed] = await Promise.all([predictPeople(ctx, rules), replayLogins(ctx, change)])
  return [...people, ...(await toFigures(ctx, replayed, 'logins-factor'))]
}

type Found = { count: number; ids: string[] }

function note(found: Found, { count, ids }: Alike): void {
  found.count += count
  found.ids.push(...ids.slice(0, IMPACT_ROWS - found.ids.length))
}

async function predictPeople(ctx: Context, { before, after }: Rules): Promise<ImpactFigure[]> {
  const now = ctx.now()
  const needs = needsOf([...before, ...after].filter(({ outcome }) => outcome === 'second-factor'))
  const found: Record<FactorFigureKey, Found> = {
    'people-factor': { count: 0, ids: [] },
    'people-factorless': { count: 0, ids: [] },
  }
  /** By the key of people alike: are they asked then, and not now? */
  const asked = new Map<string, boolean>()
  const isWhole = await readEverybody(ctx, TIME_MS, async (ask, blocks) => {
    const groups = await ask((db) => listAlike(db, needs, blocks, IMPACT_ROWS))
    const firsts = new Map(groups.filter(({ key }) => !asked.has(key)).map(({ key, ids }) => [key, ids[0] ?? '']))
    const facts = firsts.size > 0 ? await ask((db) => listFacts(db, [...firsts.values()], { needs, now })) : new Map()
    for (const [key, id] of firsts) {
      const person = facts.get(id)
      asked.set(key, person && !mustHaveSecondFactor(before, person) && mustHaveSecondFactor(after, person))
    }
    for (const group of groups.filter(({ key }) => asked.get(key))) {
      note(found['people-factor'], group)
      if (!group.hasFactor) note(found['people-factorless'], group)
    }
  })
  const ids = [...new Set(Object.values(found).flatMap((one) => one.ids))]
  const people = (await listPeople(ctx.db, ids)).map((person) =>
    toRow({ ...person, userId: person.id, at: null, ip: null }),
  )
  return FACTOR_FIGURES.map((key) => {
    const { count, ids: some } = found[key]
    const rows = people.filter(({ person }) => some.includes(person.id))
    return { key, field: null, count, people: count, isAtLeast: !isWhole, lookedBackTo: null, rows }
  })
}
