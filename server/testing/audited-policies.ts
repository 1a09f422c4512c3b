import { v7 } from 'uuid'
import { CustomField } from '#shared/contract/custom-fields.ts'
import { findSettingsDocument, mergeSettings } from '../platform/settings.ts'
import { type Audited, of, type World } from './audited-resource.ts'

/** A pending change of the login configuration from before everybody's login. */
async function unconfirmed({ server: { platform } }: World): Promise<{ id: string }> {
  const { sql, now } = platform
  const id = v7()
  const after = { lockMinutes: 30 }
  await mergeSettings({ ...platform, db: sql }, 'login', after)
  const madeAt = new Date(now().getTime() - 3_600_000)
  await sql`
    insert into unconfirmed_changes (id, target_kind, target_id, fields, before, after, made_at, due_at)
    values (${id}, 'settings', 'login', '{lockMinutes}', '{}', ${JSON.stringify(after)}::text::jsonb, ${madeAt}, ${now()})`
  return { id }
}

/** A change of a settings document. */
const edit = (name: string, changes: object): Audited => ({
  leaves: 'both',
  ask: async ({ server }) => {
    const { version } = await findSettingsDocument(server.platform.sql, name)
    return { body: { version, changes } }
  },
})

/** A removed field of which nobody has a value. */
const removedField: Audited = {
  leaves: 'before',
  ask: async ({ server: { platform } }) => {
    const field = { key: 'oldDesk', kind: 'text', name: 'Desk', isRemoved: true }
    await mergeSettings({ ...platform, db: platform.sql }, 'accountFields', { custom: [CustomField.parse(field)] })
    return { body: { key: field.key } }
  },
}

/** The super users' calls that switch policies, or settle a change of one. */
export const POLICY_CALLS: Readonly<Record<string, Audited>> = {
  'POST /account_field_rules/update/': edit('accountFields', { 'nickname.editableBy': 'administrators' }),
  'POST /account_field_rules/delete_values/': removedField,
  'POST /account_field_rules/test_format/': {
    leaves: 'nothing',
    ask: () => ({ body: { field: 'nickname', format: 'any', value: 'Lin' } }),
  },
  'POST /institution/update/': edit('gateway', { helpUrl: 'https://help.school.test/' }),
  'POST /log_insight_settings/update/': edit('logInsights', { sprayNames: 30 }),
  'POST /message_templates/preview/': {
    leaves: 'nothing',
    ask: () => ({ body: { name: 'code.login', language: 'en' } }),
  },
  'POST /message_templates/save_sms/': {
    leaves: 'both',
    ask: async ({ server }) => {
      const { version } = await findSettingsDocument(server.platform.sql, 'smsTemplates')
      const template = { provider: 'aliyun', id: 'SMS_OWN', values: ['code'] }
      return { body: { version, name: 'code.login', language: 'en', template } }
    },
  },
  'POST /message_routes/update/': edit('messageRoutes', { dailySms: 500 }),
  'POST /message_routes/save_http/': {
    leaves: 'after',
    ask: () => ({
      body: { version: 0, gateway: { url: 'http://127.0.0.1:9/', appId: 'gatehouse', secret: 'secret' } },
    }),
  },
  'POST /message_routes/check/': { leaves: 'nothing', ask: () => ({ body: { channel: 'wecom' } }) },
  'POST /login_config/update/': edit('login', { lockMinutes: 20 }),
  'POST /policy_impact/account_fields/': {
    leaves: 'nothing',
    ask: () => ({ body: { changes: { 'phone.isLoginName': false } } }),
  },
  'POST /login_check/address/release/': { leaves: 'before', ask: () => ({ body: { ip: '192.0.2.7' } }) },
  'POST /access_rule/test/': { leaves: 'nothing', ask: () => ({ body: {} }) },
  'POST /access_rule/naming/': {
    leaves: 'nothing',
    ask: () => ({ body: { field: 'applications', values: ['shop'] } }),
  },
  'POST /access_rule/switch_on/': {
    leaves: 'both',
    ask: async ({ server: { platform } }) => {
      await mergeSettings({ ...platform, db: platform.sql }, 'access', { suspended: true })
      return { body: {} }
    },
  },
  'POST /policy_impact/login_config/': {
    leaves: 'nothing',
    ask: () => ({ body: { changes: { lockAfterFailures: 3 } } }),
  },
  'POST /policy_impact/access_rule/': {
    leaves: 'nothing',
    ask: () => ({ body: { rule: { mode: 'on', outcome: 'refuse' } } }),
  },
  'POST /policy_impact/ip_range/': {
    leaves: 'nothing',
    ask: () => ({ body: { range: { kind: 'campus', networks: ['10.0.0.0/8'] } } }),
  },
  'POST /unconfirmed_change/{id}/confirm/': {
    leaves: 'after',
    ask: async (world) => ({ path: await unconfirmed(world), body: {} }),
  },
  'POST /unconfirmed_change/{id}/take_back/': {
    leaves: 'both',
    ask: async (world) => ({ path: await unconfirmed(world), body: {} }),
  },
}

const announcement = ({ make, word }: World) => make('/announcement/create/', { titles: { en: word } })
const theme = ({ make, word }: World) => make('/login_config/create/', { name: word })

/** The super users' calls that change the appearance of pages. */
export const APPEARANCE_CALLS: Readonly<Record<string, Audited>> = {
  'POST /login_config/login_page_config/': { leaves: 'nothing', ask: () => ({ body: {} }) },
  'POST /login_config/update_login_page_config/': edit('loginPage', { layout: 'centre' }),
  'POST /login_config/update_manage_page_config/': edit('homePage', { searchField: false }),
  'POST /announcement/create/': { leaves: 'after', ask: ({ word }) => ({ body: { titles: { en: word } } }) },
  'POST /announcement/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await announcement(world), { version: 1, titles: { en: `${world.word} again` } }),
  },
  'POST /announcement/{id}/delete/': {
    leaves: 'before',
    ask: async (world) => of(await announcement(world), { version: 1 }),
  },
  'POST /login_config/choose_theme/': {
    leaves: 'both',
    ask: async ({ server }) => {
      const { version, value } = await findSettingsDocument(server.platform.sql, 'appearance')
      return { body: { theme: value['theme'] === 'ink' ? 'lake' : 'ink', version } }
    },
  },
  'POST /login_config/schedule/': edit('appearance', {
    banner: { texts: { en: 'Exams begin' }, tone: 'info', from: null, until: null },
  }),
  'POST /login_config/create/': { leaves: 'after', ask: ({ word }) => ({ body: { name: word, base: 'pine' } }) },
  'POST /login_config/preview/': { leaves: 'nothing', ask: () => ({ body: { draft: {} } }) },
  'POST /login_config/themes/{id}/delete/': {
    leaves: 'before',
    ask: async (world) => of(await theme(world), { version: 1 }),
  },
  'POST /login_config/themes/{id}/publish/': {
    leaves: 'both',
    ask: async (world) => of(await theme(world), { version: 1 }),
  },
  'POST /login_config/themes/{id}/update/': {
    leaves: 'both',
    ask: async (world) => of(await theme(world), { version: 1, name: `${world.word} renamed`, draft: null }),
  },
}
