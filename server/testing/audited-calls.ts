import { VENDOR_KEYS } from '#shared/contract/vendors.ts'
import { MAIL_PROVIDERS } from '../../tools/simulators/index.ts'
import { AUDITED_SOURCES, type Audited, of, resource, type World } from './audited-resource.ts'
import { AUDITED_VENDORS } from './audited-vendors.ts'
import { addPart, type Institution } from './departments.ts'
import { casFields, clientFields } from './managing.ts'

let words = 0

export async function freshWorld(place: Institution): Promise<World> {
  words += 1
  const part = await addPart(place.server, { word: 'part', under: null, owner: place.root.user.userId })
  const make = async <T>(path: string, body: object = {}): Promise<T> => {
    const answer = await place.root.call<T>(path, { body })
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.envelope)}`)
    return answer.data
  }
  return { ...place, part, make, word: `word-${words}` }
}

const application = ({ make, word }: World) => make('/application_manage/create/', casFields(word))
const client = ({ make, word }: World) => make('/application_manage/create/', clientFields(word))
const role = ({ make, word }: World) => make('/role/create/', { code: word, name: word })
const category = ({ make, word }: World) => make('/application_category/create/', { code: word, name: word })
const appointment = ({ make, part }: World) =>
  make('/administrator_manage/create/', { userId: part.person, organizationId: part.organization, permissions: [] })
const withKey = async (world: World) => {
  const { id } = await application(world)
  await world.make(`/application_key/${id}/create/`, {})
  return id
}
const granted = async (world: World) => {
  const id = await withKey(world)
  await world.make(`/application_interface/${id}/grant/`, { apiIds: ['person.read'] })
  return id
}
const word = (base: string): Readonly<Record<string, Audited>> => {
  const given = (world: World) => ({ code: world.word, name: world.word })
  const entry = (world: World) => world.make(`${base}/create/`, given(world))
  return {
    ...resource(base, given),
    [`POST ${base}/{id}/update/`]: {
      leaves: 'both',
      ask: async (world) => of(await entry(world), { version: 1, name: 'Other' }),
    },
    [`POST ${base}/{id}/move/`]: {
      leaves: 'both',
      ask: async (world) => {
        await world.make(`${base}/create/`, { code: `${world.word}-first`, name: 'First' })
        return of(await entry(world), { after: null })
      },
    },
  }
}
const ipRange = ({ word: name }: World) => ({
  name,
  kind: 'campus',
  networks: [name.replace('word-', '2001:db8::')],
})

const accessRule = ({ word: name }: World) => ({ name, mode: 'report', outcome: 'notify' })

const SERVICE = JSON.stringify({
  '@class': 'org.apereo.cas.services.RegexRegisteredService',
  serviceId: '^https://service-file.test/.*',
  name: 'Service file',
  id: 4711,
})
const ADDRESS_RULE = { categories: [], from: 'number', prefix: '', suffix: '', domain: 'example.edu' }
const MAIL = { host: 'mail.example.edu', port: 587, security: 'starttls', from: 'a@example.edu' }

/** The super users' calls that change something; those of administrators are in `scope-calls.ts`. A missing one fails the test. */
export const AUDITED_CALLS: Readonly<Record<string, Audited>> = {
  'POST /administrator_manage/create/': {
    leaves: 'after',
    ask: ({ part }) => ({ body: { userId: part.person, organizationId: part.organization, permissions: ['edit'] } }),
  },
  'POST /administrator_manage/renew/': {
    leaves: 'both',
    ask: async (world) => ({ body: { ids: [(await appointment(world)).id], validUntil: '2099-01-01T00:00:00Z' } }),
  },
  'POST /administrator_manage/withdraw/': {
    leaves: 'before',
    ask: async (world) => ({ body: { ids: [(await appointment(world)).id] } }),
  },
  'POST /administrator_manage/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await appointment(world), { version: 1, permissions: ['edit'] }),
  },
  'POST /api_manage/{apiId}/update/': {
    leaves: 'both',
    ask: () => ({ path: { apiId: 'person.read' }, body: { status: 0, version: 0 } }),
  },
  'POST /application_category/create/': {
    leaves: 'after',
    ask: (world) => ({ body: { code: world.word, name: 'New' } }),
  },
  'POST /application_category/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await category(world), { name: 'Other' }),
  },
  'POST /application_category/{id}/move/': {
    leaves: 'both',
    ask: async (world) => of(await category(world), { parentId: null, after: null }),
  },
  'POST /application_category/{id}/delete/': { leaves: 'before', ask: async (world) => of(await category(world)) },
  'POST /application_interface/{id}/grant/': {
    leaves: 'after',
    ask: async (world) => of({ id: await withKey(world) }, { apiIds: ['person.read'] }),
  },
  'POST /application_interface/{id}/limit/': {
    leaves: 'both',
    ask: async (world) => of({ id: await granted(world) }, { apiId: 'person.read', callsPerMinute: 5, version: 1 }),
  },
  'POST /application_interface/{id}/withdraw/': {
    leaves: 'before',
    ask: async (world) => of({ id: await granted(world) }, { apiIds: ['person.read'] }),
  },
  'POST /application_key/{id}/create/': { leaves: 'after', ask: async (world) => of(await application(world)) },
  'POST /application_key/{id}/revoke/': {
    leaves: 'before',
    ask: async (world) => {
      const id = await withKey(world)
      const [key] = await world.server.platform.sql<{ id: string }[]>`
        select id from application_keys where application_id = ${id}`
      return of({ id }, { keyId: key?.id })
    },
  },
  'POST /application_manage/check/': { leaves: 'nothing', ask: () => ({ body: { appId: 'free' } }) },
  'POST /application_manage/create/': { leaves: 'after', ask: (world) => ({ body: casFields(world.word) }) },
  'POST /application_manage/rules_naming/': {
    leaves: 'nothing',
    ask: async (world) => ({ body: { selection: { ids: [(await application(world)).id] } } }),
  },
  'POST /application_manage/delete/': {
    leaves: 'both',
    ask: async (world) => {
      const { id } = await application(world)
      await world.make('/application_manage/set_enabled/', { selection: { ids: [id] }, enabled: false })
      return { body: { selection: { ids: [id] } } }
    },
  },
  'POST /application_manage/import/check/': {
    leaves: 'nothing',
    ask: () => ({ body: { files: [{ name: 'a.json', text: SERVICE }] } }),
  },
  'POST /application_manage/import/run/': {
    leaves: 'after',
    ask: () => ({ body: { files: [{ name: 'a.json', text: SERVICE }] } }),
  },
  'POST /application_manage/set_enabled/': {
    leaves: 'both',
    ask: async (world) => ({ body: { selection: { ids: [(await application(world)).id] }, enabled: false } }),
  },
  'POST /application_manage/{id}/duplicate/': {
    leaves: 'after',
    ask: async (world) => of(await application(world), { appId: `${world.word}-copy`, name: 'Copy' }),
  },
  'POST /application_manage/{id}/restore/': {
    leaves: 'both',
    ask: async (world) => {
      const { id } = await application(world)
      await world.make('/application_manage/set_enabled/', { selection: { ids: [id] }, enabled: false })
      await world.make('/application_manage/delete/', { selection: { ids: [id] } })
      return of({ id })
    },
  },
  'POST /application_manage/{id}/secret/rotate/': {
    leaves: 'neither',
    ask: async (world) => of(await client(world), { version: 1 }),
  },
  'POST /application_manage/{id}/secret/remove/': {
    leaves: 'both',
    ask: async (world) => {
      const made = await client(world)
      const { version } = await world.make(`/application_manage/${made.id}/secret/rotate/`, { version: 1 })
      return of(made, { version })
    },
  },
  'POST /application_manage/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await application(world), { version: 1, changes: { name: 'Renamed' } }),
  },
  'POST /change_history/{id}/roll_back/': {
    leaves: 'both',
    ask: async (world) => {
      const { id } = await role(world)
      await world.make(`/role/${id}/update/`, { code: world.word, name: 'Renamed', version: 1 })
      const [line] = await world.server.platform.sql<{ id: string; at: Date }[]>`
        select id, at from audit_records where target_id = ${id} and action = 'role.update'`
      return of(line ?? { id }, { at: line?.at.toISOString(), side: 'before', version: 2, reason: 'Test' })
    },
  },
  'POST /login_config/test_password/': {
    leaves: 'nothing',
    ask: () => ({
      body: {
        password: 'Quiet-lake-7731',
        policy: {
          passwordMinLength: 8,
          passwordMaxLength: 64,
          passwordLevel: 3,
          passwordHistory: 5,
          passwordBlockWords: [],
        },
      },
    }),
  },
  'POST /current_login_manage/kick_out/': {
    leaves: 'before',
    ask: async ({ dean }) => ({ body: { ids: [dean.ssoSessionId] } }),
  },
  'POST /current_login_manage/kick_out_all/': {
    leaves: 'after',
    ask: () => ({ body: { filters: { ip: '203.0.113.254' } } }),
  },
  'POST /get_started/update/': { leaves: 'after', ask: () => ({ body: { isBackupTested: true } }) },
  'POST /message_gateways/save_mail/': {
    leaves: 'after',
    ask: () => ({ body: { version: 0, gateway: { ...MAIL, password: 'a-secret' } } }),
  },
  ...AUDITED_VENDORS,
  'POST /corporate_mailbox/update/': {
    leaves: 'after',
    ask: () => ({
      body: {
        version: 0,
        enabled: false,
        settings: MAIL_PROVIDERS.exmail.settings('http://127.0.0.1:9'),
        rules: [ADDRESS_RULE],
      },
    }),
  },
  'POST /corporate_mailbox/preview/': { leaves: 'nothing', ask: () => ({ body: { rules: [ADDRESS_RULE] } }) },
  'POST /message_gateways/save_sms/': {
    leaves: 'after',
    ask: () => ({
      body: {
        version: 0,
        gateway: { provider: 'gateway', url: 'https://sms.example.edu/send', appId: 'a', secret: 'a-secret-of-length' },
      },
    }),
  },
  'POST /role/create/': { leaves: 'after', ask: (world) => ({ body: { code: world.word, name: 'Role' } }) },
  'POST /role/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await role(world), { code: world.word, name: 'Renamed', version: 1 }),
  },
  'POST /role/{id}/delete/': { leaves: 'before', ask: async (world) => of(await role(world), { version: 1 }) },
  'POST /role/{id}/member/add/': {
    leaves: 'after',
    ask: async (world) => of(await role(world), { kind: 'user', ids: [world.part.person] }),
  },
  'POST /role/{id}/member/remove/': {
    leaves: 'before',
    ask: async (world) => {
      const made = await role(world)
      const { person } = world.part
      await world.make(`/role/${made.id}/member/add/`, { kind: 'user', ids: [person] })
      return of(made, { kind: 'user', selection: { ids: [person] } })
    },
  },
  'POST /user_information/batch_role/': {
    leaves: 'after',
    ask: async (world) => ({
      body: { selection: { ids: [world.part.person] }, verb: 'join', roleId: (await role(world)).id },
    }),
  },
  'POST /user_information/{id}/set_administrator/': {
    leaves: 'both',
    ask: ({ part }) => of({ id: part.person }, { reason: 'Test' }),
  },
  'POST /user_information/{id}/cancel_administrator/': {
    leaves: 'both',
    ask: async ({ part, make }) => {
      await make(`/user_information/${part.person}/set_administrator/`, { reason: 'Test' })
      return of({ id: part.person }, { reason: 'Test' })
    },
  },
  ...resource('/access_rule', accessRule),
  ...AUDITED_SOURCES,
  ...resource('/ip_range', ipRange),
  'POST /ip_range/check/': { leaves: 'nothing', ask: () => ({ body: { networks: ['10.0.0.0/8'] } }) },
  ...word('/org_attribute'),
  ...word('/user_category'),
  ...word('/user_feature'),
}

/** Calls that send something or accept a file, and change nothing of the institution's. */
export const UNCHANGING: readonly string[] = [
  'POST /application_manage/icon/upload/',
  'POST /ip_range/import/check/',
  'POST /language/import/check/',
  'POST /message_gateways/test_mail/',
  'POST /message_gateways/test_sms/',
  'POST /message_templates/test/',
  'POST /corporate_mailbox/check/',
  ...VENDOR_KEYS.flatMap((key) => [`POST /vendor/${key}/check/`, `POST /vendor/${key}/test_login/`]),
  'POST /vendor/tested_login/',
]
