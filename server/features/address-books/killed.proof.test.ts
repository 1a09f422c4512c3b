import { setTimeout as pause } from 'node:timers/promises'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import type { SyncRunBase } from '#shared/contract/sync-runs.ts'
import { MAIL_PROVIDERS, type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { OPEN } from '../../testing/address-books.ts'
import { addMailboxes } from '../../testing/mailboxes.ts'
import { openPortal } from '../../testing/portal.ts'
import { startNode, until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'

const SECRET_KEY = 'a test key of more than thirty-two characters'

/** So many that no run is through before it is killed, and who is there by then. */
const KINDS = {
  qywx: {
    people: 300,
    there: ({ book }: Simulator) => [...book.users.keys()].filter((id) => /^k\d+$/.test(id)).length,
  },
  // Fewer calls are allowed in a minute.
  exmail: {
    people: 100,
    there: ({ mailboxes }: Simulator) => [...mailboxes.values()].filter(({ isDisabled }) => !isDisabled).length,
  },
}

test.each(['qywx', 'exmail'] as const)(
  '%s: a node that is killed while it writes loses nothing that was acknowledged there, and another one creates nobody twice',
  {
    timeout: 240_000,
  },
  async (kind) => {
    const { people: most, there: countThere } = KINDS[kind]
    const server = await testServer()
    const { sql, config } = server.platform
    const root = await openPortal(server, { isSuperUser: true })
    const vendor =
      kind === 'qywx'
        ? await startSimulator(VENDORS.qywx, { trustedOrigin: server.url })
        : await addMailboxes(server, root, kind)
    onTestFinished(() => vendor.close())
    const env = { DATABASE_URL: config.databaseUrl ?? '', SECRET_KEY }
    const organization = { code: 'physics', name: 'Physics', parentId: null, names: {} }
    const { data: physics } = await root.call<{ id: string }>('/organization/create/', { body: organization })
    for (let at = 0; at < most; at++)
      await sql`
      insert into users (id, account, name, organization_id, phone, created_at, updated_at)
      values (${v7()}, ${`k${at}`}, ${`Person ${at}`}, ${physics.id}, ${`+8613${String(at).padStart(9, '0')}`}, now(), now())`
    let node = await startNode(env)
    const given = { name: 'Book', vendor: kind, roots: [{ organizationId: physics.id, departmentId: 2 }] }
    const body = { ...given, ...{ ...VENDORS, ...MAIL_PROVIDERS }[kind].contacts?.(vendor.url), ...OPEN }
    const { data: sync } = await root.call<BookSync>('/book_sync/create/', { body })
    const state = async (id: string) =>
      (await sql<{ state: string }[]>`select state from book_runs where id = ${id}`)[0]?.state
    const applied = async () =>
      (await sql<{ n: number }[]>`select count(*)::int as n from book_rows where is_applied`)[0]?.n ?? 0
    const tried = async () => (await sql<{ tried: number }[]>`select tried from book_runs`)[0]?.tried
    const there = () => countThere(vendor)
    const kill = async () => {
      node.process.kill('SIGKILL')
      await node.ended
    }

    const { data: run } = await root.call<SyncRunBase>(`/book_sync/${sync.id}/start/`, { body: { dryRun: false } })
    await until(async () => (await state(run.id)) === 'held', 60_000)
    await root.call(`/book_sync_run/${run.id}/approve/`, { body: { reason: 'Looked at' } })
    for (const share of [0.2, 0.5]) {
      while (there() < most * share) await pause(5)
      await kill()
      // At most one call was answered there without being recorded here.
      const [acknowledged, written] = [await applied(), there()]
      expect(await tried()).toBe(acknowledged)
      expect(written - acknowledged).toBeGreaterThanOrEqual(0)
      expect(written - acknowledged).toBeLessThanOrEqual(1)
      expect(written).toBeLessThan(most)
      expect(await state(run.id)).toBe('applying')
      // As if the heartbeat had been missing long enough.
      await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
      node = await startNode(env)
    }
    await until(async () => (await state(run.id)) === 'done', 120_000)
    expect([await applied(), await tried(), there()]).toEqual([most, most, most])
    const created = vendor.calls.filter((call) => call.endsWith('/cgi-bin/user/create'))
    // A call whose result died with the node was looked up, not repeated.
    expect(created).toHaveLength(most)
    const [links] = await sql<{ n: number; people: number }[]>`
    select count(*)::int as n, count(distinct external_id)::int as people from book_links where kind = 'person'`
    expect(links).toEqual({ n: most, people: most })

    // An interrupted undo continues too, and removes everything that was created.
    const undone = await root.call(`/book_sync_run/${run.id}/undo/`, { body: { reason: 'Wrong company' } })
    expect(undone.envelope.state).toBe(200)
    while (there() > most / 2) await pause(5)
    await kill()
    await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
    node = await startNode(env)
    await until(async () => (await state(run.id)) === 'undone', 120_000)
    expect(there()).toBe(0)
    const [left] = await sql<{ n: number }[]>`select count(*)::int as n from book_links where kind = 'person'`
    // Mailboxes stay with their owners, disabled.
    expect(left).toEqual({ n: kind === 'exmail' ? most : 0 })
  },
)
