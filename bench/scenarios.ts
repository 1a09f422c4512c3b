import type { Pool } from 'undici'
import { createVisitor, enterPortal, expect, hop, logIn, type Visitor, validate } from './client.ts'
import { distribute } from './distribute.ts'
import { oidcScenarios } from './oidc.scenarios.ts'
import type { Scenario } from './scenario.types.ts'
import type { Site } from './site.ts'

const visitorsOf = (site: Site, pool: Pool): Visitor[] =>
  site.accounts.map((account) => createVisitor(pool, site.url, account))

async function loggedIn(site: Site, pool: Pool, count: number): Promise<Visitor[]> {
  const visitors = visitorsOf(site, pool).slice(0, count)
  for (const visitor of visitors) await logIn(visitor)
  return visitors
}

export const scenarios: Scenario[] = [
  {
    name: 'full login: password, ticket, p3 validation',
    // The hash alone costs about 14 ms; the floor column measures it.
    budgetMs: 18,
    floor: 'the hash alone',
    async prepare(site, pool, concurrency) {
      const next = distribute(site.accounts, concurrency)
      return async (worker) => {
        const visitor = createVisitor(pool, site.url, next(worker))
        await validate(pool, await logIn(visitor), visitor.account)
      }
    },
  },
  {
    name: 'hop on a session + p3 validation',
    budgetMs: 1.2,
    floor: 'hop + validation, bare Fastify and SQL',
    async prepare(site, pool, concurrency) {
      const next = distribute(await loggedIn(site, pool, 64), concurrency)
      return async (worker) => {
        const visitor = next(worker)
        await validate(pool, await hop(visitor), visitor.account)
      }
    },
  },
  {
    name: 'p3 validation alone',
    budgetMs: 0.45,
    async prepare(site, pool) {
      const visitors = await loggedIn(site, pool, 64)
      const stock: [string, string][] = []
      await Promise.all(
        visitors.map(async (visitor) => {
          for (let made = 0; made < 150; made++) stock.push([await hop(visitor), visitor.account])
        }),
      )
      return async () => {
        const [ticket, account] = stock.pop() ?? []
        if (!ticket || !account) throw new OutOfStock()
        await validate(pool, ticket, account)
      }
    },
  },
  {
    name: 'login page (HTML)',
    budgetMs: 0.4,
    async prepare(site, pool) {
      const visitor = createVisitor(pool, site.url, '')
      return async () => {
        const answer = await visitor.get('/auth_web/login', { 'accept-language': 'zh-CN' })
        expect(answer.status === 200 && answer.body.includes('name="password"'), 'expected the form', answer)
      }
    },
  },
  {
    name: 'my applications, first page',
    budgetMs: null,
    async prepare(site, pool, concurrency) {
      const visitors = await loggedIn(site, pool, 64)
      for (const visitor of visitors) await enterPortal(visitor, site.url)
      const next = distribute(visitors, concurrency)
      return async (worker) => {
        const visitor = next(worker)
        const answer = await visitor.call(`/user_information/${visitor.userId}/app/`, {
          pageIndex: '1',
          pageSize: '100',
        })
        expect(answer.status === 200 && JSON.parse(answer.body).total === 21, 'expected 21 applications', answer)
      }
    },
  },
  ...oidcScenarios(loggedIn),
]

/** The scenario has used up its prepared stock; its run ends early, which is no failure. */
export class OutOfStock extends Error {}
