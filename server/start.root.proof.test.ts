import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from './testing/database.ts'
import { testDataDir } from './testing/embedded.ts'
import { type NodeProcess, startNode, until } from './testing/process.ts'

const isRoot = process.getuid?.() === 0 && process.platform === 'linux'

/** The users, groups and capabilities of a process. */
const rightsOf = ({ process: { pid } }: NodeProcess) =>
  readFileSync(`/proc/${pid}/status`, 'utf8').match(/^(Uid|Gid|Groups|CapEff):.*/gm)

const hasSaid = (node: NodeProcess, words: string) => until(() => node.output().includes(words), 20_000)

test.runIf(isRoot)(
  'started as root, a node goes on as the user of its database, starts that anew when it dies, and starts again',
  { timeout: 180_000 },
  async () => {
    const DATA_DIR = testDataDir()
    for (const round of ['first', 'second']) {
      const node = await startNode({ DATA_DIR, DEMO: '1' })
      await hasSaid(node, 'Started as root, running as user')
      const { uid, gid } = statSync(join(DATA_DIR, 'postgres'))
      expect(uid, round).not.toBe(0)
      expect(rightsOf(node)).toEqual([
        `Uid:\t${Array(4).fill(uid).join('\t')}`,
        `Gid:\t${Array(4).fill(gid).join('\t')}`,
        `Groups:\t${gid} `,
        'CapEff:\t0000000000000000',
      ])
      // Printed in both runs, so the file with the passwords was read before.
      expect(node.output()).toContain('Demo accounts of this installation:')
      for (const secret of ['secret-key', 'database-password']) {
        expect(statSync(join(DATA_DIR, secret))).toMatchObject({ uid: 0, mode: 0o100600 })
      }
      const lock = join(DATA_DIR, 'postgres', 'postmaster.pid')
      const database = () => (existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n')[0]) : 0)
      const killed = database()
      process.kill(killed, 'SIGKILL')
      await until(() => database() !== killed && database() !== 0, 20_000)
      await until(async () => (await fetch(`${node.url}/readyz`)).ok, 20_000)
      // These modules are loaded only now.
      expect((await fetch(`${node.url}/auth_service/docs`)).status).toBe(200)
      node.process.kill('SIGTERM')
      expect(await node.ended).toBe(0)
      expect(existsSync(lock)).toBe(false)
    }
  },
)

test.runIf(isRoot)(
  'a node that stays root says so, and where to read how to start it otherwise',
  {
    timeout: 60_000,
  },
  async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const SECRET_KEY = 'a test key of more than thirty-two characters'
    const node = await startNode({ DATABASE_URL: database.url, SECRET_KEY })
    await hasSaid(node, 'Warning: Gatehouse runs as root. Start it as a user of its own: docs/operations.md')
  },
)
