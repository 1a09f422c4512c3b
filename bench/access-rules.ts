import { Pool } from 'undici'
import { createVisitor, enterPortal, expect, logIn } from './client.ts'
import { ADMINISTRATOR, type Site } from './site.ts'

const RULES = 20

/**
 * Switches on access rules that ask everything of a login (category, role, organisation, administration, place, time) and that none of
 * the benchmark's people meets: what they cost is the asking.
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
        // The administrator of the benchmark logs in from here.
        where: whos[n % whos.length]?.administrators || n % 3 === 0 ? { ranges: [range] } : {},
        when: n % 5 === 0 ? { from: '08:00', to: '18:00', zone: 'Asia/Shanghai' } : {},
      })
    }
  } finally {
    await pool.close()
  }
}
