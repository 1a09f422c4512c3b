import { expect, type Page } from '@playwright/test'
import { fillIn, type School } from './fixtures.ts'
import { withPayload } from './hostile-names.ts'
import { LOG_PAGE_STATES } from './log-pages.ts'
import { type PageState, visit } from './page-state.ts'
import { SECURITY_PAGE_STATES } from './security-pages.ts'
import { THEME_PAGE_STATES } from './theme-pages.ts'

/** Somebody else logs in elsewhere: one's own login can't be ended from the list. */
async function somebodyElse(page: Page, school: School): Promise<void> {
  const context = await page.context().browser()?.newContext({ baseURL: school.url })
  const other = await context?.newPage()
  if (!other) throw new Error('no browser')
  await other.goto('/auth_web/')
  await fillIn(other, 'lisi')
  await other.waitForURL('**/auth_web/my-apps')
  await context?.close()
}

/** Every page of the product, and its visually different states. */
export const PAGE_STATES: PageState[] = [
  visit('login', null, '/auth_web/login?service=', '#username'),
  {
    name: 'login for an application, refused',
    as: null,
    isSaid: true,
    async go(page, school) {
      await page.goto(school.library.url)
      await fillIn(page, 'nobody', 'wrong')
      await expect(page.locator('.alert')).not.toBeEmpty()
    },
  },
  visit('application not registered', null, '/fwk_cas_service/login?service=https%3A%2F%2Fnobody.test%2F', 'h1'),
  visit('signed out', null, '/fwk_cas_service/logout', 'h1'),
  visit('activation', null, '/auth_web/activation', 'form input'),
  visit('forgot password', null, '/auth_web/forgot-password', 'form input'),
  {
    name: 'password recovered',
    as: null,
    async go(page) {
      await page.goto('/auth_web/forgot-password')
      // The router handles a pushState only once it has started.
      await expect(page.locator('form input').first()).toBeVisible()
      // As a recovery leaves it in the history; the address alone shows nothing.
      await page.evaluate(() => {
        const state = { ...history.state, recovered: { ended: 2 } }
        history.pushState(state, '', '/auth_web/forgot-password-success')
      })
      await expect(page.locator('.recovered')).toBeVisible()
    },
  },
  visit('not found', null, '/auth_web/404', 'h1'),
  {
    name: 'first password, a weak one typed',
    as: null,
    async go(page) {
      await page.context().clearCookies({ name: 'CASTGC' })
      await page.goto('/auth_web/')
      if (!page.url().includes('forgot-password')) await fillIn(page, 'firstyear')
      await page.locator('input[autocomplete=new-password]').first().fill('weak')
      await expect(page.locator('form li').first()).toBeVisible()
    },
  },
  visit('my applications', 'lilei', '/auth_web/my-apps', 'a[href^="http"]'),
  {
    name: 'my applications, account menu open',
    as: 'lilei',
    async go(page) {
      await page.goto('/auth_web/my-apps')
      await page.locator('header .avatar').click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  visit('current logins', 'lilei', '/auth_web/certification-record/current-login', 'article'),
  visit('my logins', 'lilei', '/auth_web/certification-record/account', '.list-page time'),
  visit('account security', 'lilei', '/auth_web/account-security', '.security-row'),
  {
    name: 'account security, identity asked for',
    as: 'lilei',
    async go(page) {
      await page.goto('/auth_web/account-security/set-account')
      await page.locator('.security-row button').last().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  visit('personal data', 'lilei', '/auth_web/personal-data', 'main form'),
  { ...visit('no mailbox', 'lilei', '/auth_web/mailbox', 'main .state-block'), isSaid: true },
  visit('third-party accounts', 'lilei', '/auth_web/account-security/third-party-account', 'main h1'),
  visit('allowed applications', 'lilei', '/auth_web/account-security/allowed-applications', 'main h1'),
  visit('password maintenance', 'lilei', '/auth_web/certification-record/password', '.list-page'),
  visit('account maintenance', 'lilei', '/auth_web/certification-record/account-maintenance', '.list-page time'),
  visit('application visits', 'lilei', '/auth_web/certification-record/application', '.list-page'),
  visit('two-step verification', 'lilei', '/auth_web/account-security/two-step', '.factor'),
  visit('change password', 'lilei', '/auth_web/modify-password', 'main form'),
  {
    name: 'asked before a logout',
    as: 'lilei',
    async go(page) {
      // As a browser's prefetch: never a request to log out.
      await page.setExtraHTTPHeaders({ 'sec-purpose': 'prefetch' })
      await page.goto('/auth_service/login/logout/')
      await page.setExtraHTTPHeaders({})
      await expect(page.locator('form')).toBeVisible()
    },
  },
  visit('no permission', 'lilei', '/auth_web/401', 'h1'),
  visit('overview', 'root', '/auth_web/manage/home', '.overview-grid .chart-drawing'),
  visit('interfaces', 'root', '/auth_web/manage/api-manage', 'tbody tr, .list-cards li'),
  {
    name: 'interfaces, dialog open',
    as: 'root',
    isSaid: true,
    async go(page) {
      await page.goto('/auth_web/manage/api-manage')
      await page.locator('tbody tr button, .list-card-verbs button').first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'login log, export dialog open',
    as: 'root',
    isSaid: true,
    async go(page) {
      await page.goto('/auth_web/manage/login-log')
      await page.getByRole('button', { name: /^(Export|导出|匯出)$/ }).click()
      await expect(page.getByRole('dialog').locator('fieldset').first()).toBeVisible()
    },
  },
  visit('everyone who is logged in', 'root', '/auth_web/manage/current-login-manage', 'tbody tr, .list-cards li'),
  {
    name: 'search of the back office',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/current-login-manage')
      await page.locator('.search-opener').click()
      await page.locator('.search-field input').fill('li')
      await expect(page.locator('.search-found .option .muted').first()).toBeVisible()
      await expect(page.locator('.search-found [aria-busy=false]')).toBeVisible()
    },
  },
  {
    name: 'people, some of them ticked',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization')
      await page.locator('tbody input[type=checkbox], .list-cards input[type=checkbox]').first().check()
      await expect(page.locator('.bulk-bar')).toBeVisible()
    },
  },
  {
    name: 'organisation to be merged',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization')
      await page.getByRole('treeitem').first().click({ button: 'right' })
      await page.locator('.context-menu [role=menuitem]').nth(3).click()
      await expect(page.locator('dialog .effects')).toBeVisible()
    },
  },
  {
    name: 'organisations found',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization')
      await page.locator('.tree-search input').fill('cs')
      await expect(page.locator('.tree-found button').first()).toBeVisible()
    },
  },
  visit('user categories', 'root', '/auth_web/manage/user-category', 'tbody tr, .list-cards li'),
  visit('department attributes', 'root', '/auth_web/manage/org-attribute', '.list-page .state-block, tbody tr'),
  visit('IP ranges', 'root', '/auth_web/manage/net-strategy', '.list-page .state-block, tbody tr'),
  visit('administrators', 'root', '/auth_web/manage/administrator-manage', 'tbody tr, .list-cards li'),
  {
    name: 'appointing an administrator',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/administrator-manage')
      await page.locator('.list-page .button-primary').first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  ...LOG_PAGE_STATES,
  ...SECURITY_PAGE_STATES,
  ...THEME_PAGE_STATES,
  {
    name: 'change history, a change open',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/change-history?targetKind=application')
      // The oldest: later ones may be refused requests, which changed nothing.
      await page.locator('.change-title button').last().click()
      await expect(page.locator('.diff-table')).toBeVisible()
    },
  },
  {
    name: 'kick out, dialog open',
    as: 'root',
    async go(page, school) {
      await somebodyElse(page, school)
      await page.goto('/auth_web/manage/current-login-manage')
      await page.locator('tbody tr button, .list-card-verbs button').first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  visit('authorisations', 'root', '/auth_web/manage/application-grants', 'tbody tr, .list-cards li'),
  {
    name: 'a role, its parts at the side',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/role-manage')
      await page.locator('.row-link').first().click()
      await expect(page.locator('.drawer tbody tr, .drawer .list-cards li').first()).toBeVisible()
    },
  },
  {
    name: 'roles, the dialog of authorised applications',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/role-manage')
      await page.locator('.role-verbs button').first().click()
      await expect(page.locator('.authorised-apps tbody tr, .authorised-apps .list-cards li').first()).toBeVisible()
    },
  },
  visit('applications', 'root', '/auth_web/manage/application-manage', 'tbody tr a, .list-cards li'),
  ...['new', 'new?template=other', 'new?template=moodle-cas', 'import'].map((at) =>
    visit(`applications, ${at}`, 'root', `/auth_web/manage/application-manage/${at}`, '.guide'),
  ),
  ...['basic', 'cas', 'attributes', 'preview', 'snippets', 'interfaces', 'statistics'].map(
    (tab): PageState => ({
      name: `settings of an application, ${tab}`,
      as: 'root',
      async go(page) {
        await page.goto('/auth_web/manage/application-manage?search=library')
        const href = await page.getByRole('link', { name: 'Library' }).first().getAttribute('href')
        await page.goto(`${href}?tab=${tab}`)
        await expect(page.locator('.tab-panel')).toBeVisible()
      },
    }),
  ),
  visit('people of all organisations', 'root', '/auth_web/manage/organization', '[data-opens]'),
  {
    name: 'a person at the side',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization?search=lilei')
      await page.locator('[data-opens]').first().click()
      await expect(page.locator('.drawer .fact-list')).toBeVisible()
    },
  },
  {
    name: 'editing a person',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization?search=lilei')
      await page.locator('[data-opens]').first().click()
      await page.locator('.person-verbs button').first().click()
      await expect(page.locator('.form-dialog input').first()).toBeVisible()
    },
  },
  {
    name: 'freezing people',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization?search=lilei')
      await page.locator('[data-opens]').first().click()
      await page.locator('.person-verbs button').nth(2).click()
      await expect(page.locator('.person-preview')).toBeVisible()
    },
  },
  visit('import of people', 'root', '/auth_web/manage/organization/import', '.file-drop'),
  {
    name: 'import of people, the columns of a file',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization/import')
      const file = {
        name: `${withPayload('people', 0)}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(`Number,Name,${withPayload('x', 0)}\n0099001,Place,${withPayload('y', 6)}\n`),
      }
      await page.locator('input[type=file]').setInputFiles(file)
      await expect(page.locator('.import-column-list')).toBeVisible()
    },
  },
  {
    name: 'import of people, checked',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/organization/import')
      const file = {
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Number,Name,Gender\n0099001,P,F\nlilei,Another,\n0099002,P,${withPayload('x', 0)}\n`),
      }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.locator('.import-columns button[type=submit]').click()
      await expect(page.locator('.changed-fields').first()).toBeVisible()
    },
  },
]
