import { connect, createServer, type Socket } from 'node:net'
import type { DataSource } from '#shared/contract/data-sources.ts'
import type { Portal, Reply } from './portal.ts'
import type { TestServer } from './server.ts'

/** The test's own database as a source, behind a port that a test can break. */
export type OwnSource = {
  /** The fields of a source for it. */
  given: Record<'name' | 'kind' | 'host' | 'database' | 'user' | 'password' | 'tls', string> & { port: number }
  /** From now on a connection breaks after this many bytes of answers; null: never. */
  breakAfter(bytes: number | null): void
  close(): Promise<void>
}

export async function openOwnSource({ platform }: TestServer): Promise<OwnSource> {
  const { host, port, database, user, pass, path } = platform.sql.options
  let limit: number | null = null
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = path ? connect(path as unknown as string) : connect(port[0] ?? 5432, host[0])
    let seen = 0
    far.on('data', (data: Buffer) => {
      seen += data.length
      if (limit !== null && seen > limit) near.destroy()
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const password = typeof pass === 'string' ? pass : ''
  return {
    given: {
      ...{ name: 'Own', kind: 'postgresql', host: '127.0.0.1', database, user, password, tls: 'off' },
      port: (server.address() as { port: number }).port,
    },
    breakAfter(bytes) {
      limit = bytes
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Uploads the file of a source. */
export function uploadFile(
  page: Portal,
  id: string,
  content: string,
  fileName = 'people.csv',
): Promise<Reply<DataSource>> {
  const form = new FormData()
  form.set('file', new Blob([content]), fileName)
  return page.call<DataSource>(`/data_source/${id}/upload/?fileName=${encodeURIComponent(fileName)}`, { body: form })
}
