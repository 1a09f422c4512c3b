import { expect, type Locator } from '@playwright/test'
import { withPayload } from './hostile-names.ts'
import { MAILBOX_PAGE_STATES } from './mailbox-pages.ts'
import { type PageState, visit } from './page-state.ts'

const list = (name: string, path: string): PageState => ({
  name,
  as: 'root',
  async go(page) {
    await page.goto(path)
    await expect(
      page.locator('.list-page .state-block, tbody tr, .list-cards li').filter({ visible: true }).first(),
    ).toBeVisible()
  },
})

/** A page of the integration centre. */
const vendor = (path: string): PageState =>
  visit(`vendor ${path}`, 'root', `/auth_web/manage/${path}`, '.vendor-fields input')

/** A screen next to its texts. */
const promptPage = (name: string): PageState =>
  visit(`prompt page ${name}`, 'root', `/auth_web/manage/tip-edit/${name}`, '.prompt-texts .text-open')

/** A state of the languages dialog on the list of texts. */
const languages = (name: string, open: (dialog: Locator) => Promise<void>): PageState => ({
  name,
  as: 'root',
  async go(page) {
    await page.goto('/auth_web/manage/language-list')
    await page.locator('.list-tools > button').nth(-2).click()
    await open(page.locator('dialog'))
  },
})

/** A tab of the general settings. */
const settings = (tab: string): PageState => ({
  name: `general settings, ${tab}`,
  as: 'root',
  async go(page) {
    await page.goto(`/auth_web/manage/system-settings?tab=${tab}`)
    await expect(
      page
        .locator(
          '.settings-form input, .settings-form .fact-list, .settings-history li, .settings-history .state-block',
        )
        .first(),
    ).toBeVisible()
  },
})

/** One waiting and one reverted change, as the server would return them. */
function withChangesOnTrial() {
  const change = {
    targetKind: 'access-rule',
    targetId: '00000000-0000-4000-8000-00000000aaaa',
    targetName: withPayload('Night', 0),
    fields: ['mode'],
    madeAt: new Date().toISOString(),
    madeBy: null,
    leftFields: [],
  }
  const waiting = { ...change, id: 'waiting', secondsLeft: 500, isConfirmable: true, outcome: null, settledAt: null }
  const back = {
    ...change,
    id: 'back',
    targetKind: 'settings',
    targetId: 'login',
    targetName: null,
    isConfirmable: false,
  }
  const settled = {
    ...back,
    secondsLeft: 0,
    outcome: 'went-back',
    settledAt: change.madeAt,
    leftFields: ['loginTypes'],
  }
  return { state: 200, message: '', data: { arePoliciesOff: true, records: [waiting, settled] } }
}

/** The pages of the security centre and of the settings, and what people see of the rules. */
export const SECURITY_PAGE_STATES: PageState[] = [
  list('login log', '/auth_web/manage/login-log'),
  list('application visit log', '/auth_web/manage/app-visit-log'),
  {
    name: 'login rules',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/login-config')
      await expect(page.locator('[data-key=dormantAfterDays] input')).toBeVisible()
    },
  },
  {
    name: 'login rules, a password tried',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/login-config')
      await page.locator('.policy-group header button').click()
      await page.locator('dialog input').first().fill('Quiet-1')
      await expect(page.locator('.password-test-rules')).toBeVisible()
    },
  },
  {
    name: 'account field rules',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/account-field-rules')
      await expect(page.locator('.field-rules tbody tr')).toHaveCount(10)
    },
  },
  {
    name: 'the rules of one account field',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/account-field-rules')
      await page.locator('.field-rules tbody tr').nth(4).getByRole('button').click()
      await expect(page.locator('dialog .field-rule')).toHaveCount(6)
    },
  },
  {
    name: 'a profile to be completed, with every field',
    as: 'lilei',
    async go(page) {
      const missing = ['phone', 'mailbox', 'alias', 'avatar', 'nickname', 'gender', 'birthday']
      await page.route('**/profile_completion/details/**', async (route) => {
        // A page that was left no longer waits for the answer.
        const response = await route.fetch().catch(() => null)
        const answer = (await response?.json().catch(() => null)) as { data: object } | null
        if (!answer) return await route.abort().catch(() => {})
        const fields = missing.map((field) => ({ field, format: 'any' }))
        const idNumber = { field: 'idNumber', format: 'resident-id' }
        const data = { ...answer.data, missing: [...fields, idNumber], leftToOthers: ['idNumber'] }
        await route.fulfill({ json: { ...answer, data } })
      })
      await page.goto('/auth_web/complete-profile')
      await expect(page.locator('.security-row')).toHaveCount(3)
      await expect(page.locator('.date-picker')).toBeVisible()
    },
  },
  {
    name: 'login rules, with what a change would do',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/login-config')
      await page.locator('[data-key=loginTypes] input[type=checkbox]').first().uncheck()
      await expect(page.locator('.impact button').first()).toBeVisible()
      // Scrolled down, the sticky bar covers no field.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    },
  },
  {
    name: 'provisional changes, and access rules that are off',
    as: 'root',
    async go(page) {
      await page.route('**/unconfirmed_change/query/**', (route) =>
        // On this page only: later pages have none.
        page.url().includes('/manage/home') ? route.fulfill({ json: withChangesOnTrial() }) : route.fallback(),
      )
      await page.goto('/auth_web/manage/home')
      await expect(page.locator('.unconfirmed')).toHaveCount(3)
    },
  },
  list('texts', '/auth_web/manage/language-list'),
  languages('the languages', async (dialog) => expect(dialog.locator('.language-row').first()).toBeVisible()),
  languages('a language', async (dialog) => {
    await dialog.locator('.language-verbs button').first().click()
    await expect(dialog.locator('input[name=name]')).toBeVisible()
  }),
  languages('a new language', async (dialog) => {
    await dialog.locator('.dialog-actions .button-primary').click()
    await expect(dialog.locator('input[name=id]')).toBeVisible()
  }),
  {
    name: 'texts from a file',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/language-list')
      await page.locator('.list-tools > button').last().click()
      const content = 'key,en,en version\nerrors.request.not-found,There is nothing here.,0\nno.such.key,Nothing,0\n'
      const file = { name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
      await page.locator('dialog input[type=file]').setInputFiles(file)
      await expect(page.locator('dialog .import-report tbody tr')).toHaveCount(2)
    },
  },
  ...['account-login', 'userData-add', 'phone-bind'].map(promptPage),
  {
    name: 'a login error being worded beside its screen',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/tip-edit/account-error')
      await page.frameLocator('.preview-frame iframe').locator('[data-key="errors.sign-in.refused"]').click()
      await expect(page.locator('.text-editor textarea')).toBeVisible()
    },
  },
  visit('message templates', 'root', '/auth_web/manage/massage-template', '.preview-frame iframe'),
  {
    name: 'a message template, its text message being worded',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/massage-template?open=notice.dormant-soon')
      await page.locator('.message-part').nth(2).locator('.text-open').first().click()
      await expect(page.locator('.message-bubble')).toBeVisible()
    },
  },
  list('directory syncs', '/auth_web/manage/org-sync'),
  list('external address books', '/auth_web/manage/exterPhone-sync'),
  list('external data sources', '/auth_web/manage/external-data-source'),
  ...['qywx', 'dingding', 'weixin', 'qq', 'auth-edu'].map(vendor),
  list('SCIM clients', '/auth_web/manage/scim-clients'),
  visit('unified messages', 'root', '/auth_web/manage/message', '.message-group'),
  visit('corporate mailbox', 'root', '/auth_web/manage/email', '.mailbox-rule'),
  ...MAILBOX_PAGE_STATES,
  visit('message channels', 'root', '/auth_web/manage/message?tab=channels', '.message-channel'),
  ...['institution', 'mail', 'sms', 'addresses', 'start', 'history'].map(settings),
  list('access rules', '/auth_web/manage/net-strategy?tab=rules'),
  list('what the access rules did', '/auth_web/manage/net-strategy?tab=outcomes'),
  {
    name: 'a login tested by the access rules',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/net-strategy?tab=test')
      await expect(page.locator('.rule-test-rules li').first()).toBeVisible()
    },
  },
  {
    name: 'a new access rule',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/net-strategy?tab=rules')
      // Nothing is typed, which would block leaving the page.
      await page.locator('.rule-preset').nth(1).click()
      await expect(page.locator('.rule-part')).toHaveCount(4)
    },
  },
  {
    name: 'a new access rule, with what it would do',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/net-strategy?tab=rules')
      await page.locator('.rule-preset').nth(1).click()
      await expect(page.locator('dialog .impact-figure').first()).toBeVisible()
    },
  },
  list('dormant accounts', '/auth_web/manage/sleep-account'),
  list('accounts exempt from dormancy', '/auth_web/manage/sleep-account?dormancy=exempt'),
  list('locked accounts', '/auth_web/manage/lock-list'),
  list('frozen accounts', '/auth_web/manage/freeze-account'),
]
