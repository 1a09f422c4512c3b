import type { Institution, Part } from './departments.ts'
import type { Ask } from './scope-calls.ts'

/**
 * Which states are in the audit record of a success. `neither`: what changes is a secret. `nothing`: the call only reads, whatever its
 * method.
 */
export type Leaves = 'before' | 'after' | 'both' | 'neither' | 'nothing'

export type Audited = { leaves: Leaves; ask: (world: World) => Promise<Ask> | Ask }

export type World = Institution & {
  /** A separate part for each call. */
  part: Part
  /** Makes a call as the super user. @throws Error if it is rejected. */
  make<T = { id: string; version: number }>(path: string, body?: object): Promise<T>
  /** A unique word. */
  word: string
}

export const of = ({ id }: { id: string }, body: unknown = {}): Ask => ({ path: { id }, body })
/** The calls of a resource as `resourceCalls` declares them. */
export const resource = (base: string, given: (world: World) => object): Record<string, Audited> => {
  const made = (world: World) => world.make(`${base}/create/`, given(world))
  return {
    [`POST ${base}/create/`]: { leaves: 'after', ask: (world) => ({ body: given(world) }) },
    [`POST ${base}/{id}/update/`]: {
      leaves: 'both',
      ask: async (world) => of(await made(world), { ...given(world), version: 1, name: `${world.word} renamed` }),
    },
    [`POST ${base}/{id}/delete/`]: { leaves: 'before', ask: async (world) => of(await made(world), { version: 1 }) },
  }
}

const dataSource = ({ word: name }: World) => {
  const place = { host: 'hr.example.edu', database: 'hr', user: 'reader' }
  return { name, kind: 'postgresql', ...place, password: 'a-secret' }
}

/** A destination where nobody listens. */
const logStream = ({ word: name }: World) => ({
  name,
  kind: 'syslog',
  logs: ['audit'],
  host: '127.0.0.1',
  port: 1,
  tls: 'off',
})

const scimClient = ({ word: name }: World) => ({ name, scopes: ['users.write'] })
const madeScimClient = (world: World) => world.make('/scim_client/create/', scimClient(world))

const bookSync = ({ word: name, part }: World) => ({
  ...{ name, vendor: 'qywx', application: 'ww1', secret: 'nobody-there', host: 'http://127.0.0.1:1' },
  roots: [{ organizationId: part.organization }],
})

/** A sync with its own source, whose id the fields contain. */
const syncFields = async (world: World) => {
  const { id } = await world.make('/data_source/create/', { name: `${world.word} source`, kind: 'csv-upload' })
  const mapping = [{ column: 'no', field: 'account' }]
  return { name: world.word, sourceId: id, keyColumn: 'no', mapping }
}
const sync = async (world: World) => {
  const fields = await syncFields(world)
  return { ...(await world.make('/directory_sync/create/', fields)), fields }
}

const addressBook = (world: World) =>
  world.make('/data_source/create/', { name: `${world.word} book`, kind: 'wecom', user: 'ww1', password: 'x' })

/** Where people are read from, and records are sent to. */
export const AUDITED_SOURCES: Readonly<Record<string, Audited>> = {
  ...resource('/data_source', dataSource),
  ...resource('/log_stream', logStream),
  'POST /log_stream/{id}/test/': {
    leaves: 'nothing',
    ask: async (world) => of(await world.make('/log_stream/create/', logStream(world)), {}),
  },
  'POST /log_stream/{id}/move/': {
    leaves: 'both',
    ask: async (world) =>
      of(await world.make('/log_stream/create/', logStream(world)), {
        to: '2026-01-01T00:00:00Z',
        reason: 'They lost them',
      }),
  },
  ...resource('/scim_client', scimClient),
  'POST /scim_client/{id}/token/': { leaves: 'after', ask: async (world) => of(await madeScimClient(world), {}) },
  'POST /scim_client/{id}/revoke_token/': {
    leaves: 'before',
    ask: async (world) => {
      const made = await madeScimClient(world)
      const { client } = await world.make<{ client: { tokens: { id: string }[] } }>(
        `/scim_client/${made.id}/token/`,
        {},
      )
      return of(made, { tokenId: client.tokens[0]?.id })
    },
  },
  'POST /scim_client/{id}/release/': {
    leaves: 'after',
    ask: async (world) => of(await madeScimClient(world), { reason: 'The term has ended' }),
  },
  'POST /data_source/{id}/events/set_up/': { leaves: 'after', ask: async (world) => of(await addressBook(world), {}) },
  'POST /data_source/{id}/events/remove/': {
    leaves: 'before',
    ask: async (world) => {
      const source = await addressBook(world)
      await world.make(`/data_source/${source.id}/events/set_up/`, {})
      return of(source, {})
    },
  },
  'POST /data_source/test/': { leaves: 'nothing', ask: ({ word: name }) => ({ body: { name, kind: 'csv-upload' } }) },
  ...resource('/book_sync', bookSync),
  'POST /book_sync/{id}/start/': {
    leaves: 'after',
    ask: async (world) => of(await world.make('/book_sync/create/', bookSync(world)), { dryRun: true }),
  },
  'POST /directory_sync/create/': { leaves: 'after', ask: async (world) => ({ body: await syncFields(world) }) },
  'POST /directory_sync/{id}/update/': {
    leaves: 'both',
    ask: async (world) => {
      const made = await sync(world)
      return of(made, { ...made.fields, version: 1, note: 'Other' })
    },
  },
  'POST /directory_sync/{id}/delete/': {
    leaves: 'before',
    ask: async (world) => of(await sync(world), { version: 1 }),
  },
  'POST /directory_sync_switch/update/': { leaves: 'after', ask: () => ({ body: { isPaused: true } }) },
  'POST /directory_sync/preview/': {
    leaves: 'nothing',
    ask: async (world) => {
      const { fields } = await sync(world)
      return { body: { sourceId: fields.sourceId, keyColumn: 'no', mapping: fields.mapping } }
    },
  },
  'POST /directory_sync/{id}/reset_cursor/': { leaves: 'both', ask: async (world) => of(await sync(world), {}) },
  'POST /directory_sync/{id}/start/': {
    leaves: 'after',
    ask: async (world) => of(await sync(world), { dryRun: true }),
  },
}
