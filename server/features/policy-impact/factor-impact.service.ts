import { isDeepStrictEqual } from 'node:util'
import { FACTOR_FIGURES, type FactorFigureKey, IMPACT_ROWS, type ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { type Ask, readWithin } from '../../platform/read-within.ts'
import {
  type JudgedRule,
  judgeRules,
  listStoredRules,
  mustHaveSecondFactor,
  needsOf,
  peopleKeys,
  peopleNamedIn,
  type RuleNeeds,
  settingsRules,
} from '../access/index.ts'
import { toFigures } from './access-figures.service.ts'
import { type Alike, listAlike, listOfGroups } from './factor-impact.store.ts'
import { toRow } from './impact-figures.rules.ts'
import { readEverybody } from './look-back.service.ts'
import { placesAsTheyAre } from './places.service.ts'
import { listPeople } from './policy-impact.store.ts'
import { replayLogins } from './replay.service.ts'
import { listFacts } from './replay.store.ts'
import type { Blocks } from './user-blocks.store.ts'

type Rules = Record<'before' | 'after', readonly JudgedRule[]>

/** Everybody at once, using parallel workers; else as many as time allows; and examples. */
const TIME_MS = 2400
const WHOLE_MS = 2200
const LISTED_MS = 200

/** Who would newly need a second factor, and which logins of the last days would have been asked for it. */
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

/** Keys of equivalent people, with how many there are. */
type Found = { count: number; keys: Set<string> }

async function predictPeople(ctx: Context, { before, after }: Rules): Promise<ImpactFigure[]> {
  const needs = needsOf([...before, ...after].filter(({ outcome }) => outcome === 'second-factor'))
  // People whom no new rule names can't newly be asked.
  const named = peopleNamedIn(after.filter((rule) => !before.some((one) => isDeepStrictEqual(one, rule))))
  const found: Record<FactorFigureKey, Found> = {
    'people-factor': { count: 0, keys: new Set() },
    'people-factorless': { count: 0, keys: new Set() },
  }
  const isAsked = askedOnlyThen(ctx, { before, after }, needs)
  const judge = async (ask: Ask, blocks: Blocks | null) => {
    const groups = await ask((db) => listAlike(db, needs, { named, blocks }))
    for (const { key, hasFactor, count } of await isAsked(ask, groups)) {
      for (const figure of hasFactor ? FACTOR_FIGURES.slice(0, 1) : FACTOR_FIGURES) {
        found[figure].count += count
        found[figure].keys.add(key)
      }
    }
  }
  const all = await readWithin(ctx, WHOLE_MS, (ask) => judge(ask, null))
  const isWhole = all !== null || (await readEverybody(ctx, TIME_MS - WHOLE_MS, judge))
  return await Promise.all(FACTOR_FIGURES.map((key) => toFigure(ctx, { key, needs, found: found[key], isWhole })))
}

/** @returns selects the groups that are newly asked: one person of each group is evaluated */
function askedOnlyThen(ctx: Context, { before, after }: Rules, needs: RuleNeeds) {
  const isAffected = new Map<string, boolean>()
  let kinds: ((key: string) => string) | null = null
  return async (ask: Ask, groups: readonly Alike[]): Promise<Alike[]> => {
    kinds ??= await ask((db) => peopleKeys(db, needs))
    const kindOf = kinds
    const open = groups.filter(({ key }) => !isAffected.has(kindOf(key)))
    const firsts = new Map(open.map(({ key, first }) => [kindOf(key), first]))
    const ids = [...firsts.values()]
    const facts = ids.length > 0 ? await ask((db) => listFacts(db, ids, { needs, now: ctx.now() })) : new Map()
    for (const [kind, id] of firsts) {
      const person = facts.get(id)
      isAffected.set(kind, person && !mustHaveSecondFactor(before, person) && mustHaveSecondFactor(after, person))
    }
    return groups.filter(({ key }) => isAffected.get(kindOf(key)))
  }
}

type Figure = { key: FactorFigureKey; needs: RuleNeeds; found: Found; isWhole: boolean }

async function toFigure(ctx: Context, { key, needs, found, isWhole }: Figure): Promise<ImpactFigure> {
  const { count } = found
  // With more keys, the list to compare per person grows; some of the groups have enough people.
  const groups = { keys: [...found.keys].slice(0, IMPACT_ROWS), limit: IMPACT_ROWS }
  const hasFactor = key === 'people-factorless' ? false : null
  const listed = await readWithin(ctx, LISTED_MS, async (ask) => {
    const ids = groups.keys.length > 0 ? await ask((db) => listOfGroups(db, needs, { ...groups, hasFactor })) : []
    return await ask((db) => listPeople(db, ids))
  })
  const rows = (listed?.value ?? []).map((person) => toRow({ ...person, userId: person.id, at: null, ip: null }))
  return { key, field: null, count, people: count, isAtLeast: !isWhole, lookedBackTo: null, rows }
}
