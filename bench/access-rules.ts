import { Pool } from 'undici'
import { createVisitor, enterPortal, expect, logIn } from './client.ts'
import { ADMINISTRATOR, type Site } from './site.ts'

const RULES = 20

/**
 * Enables access rules that use every condition (category, role, organisation, administration, place, time) but match
 * none of the benchmark's people: only their evaluation costs.
 */
export async function writeRules({ url }: Pick<Site, 'url'>): Promise<void> {
  const pool = new Pool(url, { connections: 1 })
  try {
    const visitor = createVisitor(pool, url, ADMINISTRATOR)
    await logIn(visitor)
    await enterPortal(visitor, url)
    const make = async (path: string, body: object): Promise<string> => {
      const answer = await visitor.call(`${path}/create/`, {}, body)
      expect(answer.status === 200, path, answer)
      return (JSON.parse(answer.body) as { data: { id: string } }).data.id
    }
    await make('/user_category', { code: 'rule-category', name: 'Rules' })
    const role = await make('/role', { code: 'rule-role', name: 'Rules' })
    const organization = await make('/organization', { code: 'rule-part', name: 'Rules', parentId: null })
    const range = await make('/ip_range', { name: 'Elsewhere', kind: 'other', networks: ['203.0.113.0/24'] })
    const whos = [
      { categories: ['rule-category'] },
      { roles: [role] },
      { organizations: [organization] },
      { administrators: true },
    ]
    for (let n = 0; n < RULES; n += 1) {
      await make('/access_rule', {
        name: `Rule ${n}`,
        mode: 'on',
        outcome: n % 2 === 0 ? 'refuse' : 'second-factor',
        who: whos[n % whos.length],
        // The benchmark's administrator logs in from here.
        where: whos[n % whos.length]?.administrators || n % 3 === 0 ? { ranges: [range] } : {},
        when: n % 5 === 0 ? { from: '08:00', to: '18:00', zone: 'Asia/Shanghai' } : {},
      })
    }
  } finally {
    await pool.close()
  }
}
