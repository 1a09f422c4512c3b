import type { Locator, Page } from '@playwright/test'
import { openFirstOrganization, treeLine } from './back-office.ts'
import { expect, PASSWORD, test, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'
import { holdFirst } from './hold-first.ts'

const PAGE = '/auth_web/manage/organization'

const dialog = (page: Page): Locator => page.getByRole('dialog')

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key)
}

/** Chooses an organisation's action by right click. */
async function verb(page: Page, name: string, label: string): Promise<void> {
  await treeLine(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

async function create(page: Page, below: string, name: string, code: string): Promise<void> {
  await verb(page, below, 'New sub-organisation')
  await dialog(page).getByLabel('Name', { exact: true }).fill(name)
  await dialog(page).getByLabel('Code').fill(code)
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(treeLine(page, name)).toBeVisible()
}

async function pick(page: Page, field: string, typed: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: field }).fill(typed)
  await page.locator('[role=option]').filter({ hasText: typed }).first().click()
}

test('the tree is edited: create, rename, move by dialog and by dragging, undo, merge, delete', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await create(page, 'Demo University', 'Engineering', 'e2e-eng')
  await create(page, 'Engineering', 'Bridges', 'e2e-bridges')
  await create(page, 'Demo University', 'Arts', 'e2e-arts')

  await verb(page, 'Bridges', 'Rename and edit')
  await dialog(page).getByLabel('Name', { exact: true }).fill('Bridges and roads')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(treeLine(page, 'Bridges and roads')).toBeVisible()

  await verb(page, 'Bridges and roads', 'Move')
  await dialog(page).getByRole('button', { name: 'Remove Engineering' }).click()
  await pick(page, 'New parent organisation', 'e2e-arts')
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('“Bridges and roads” moved')).toBeVisible()
  await expect(treeLine(page, 'Arts')).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Moved back')).toBeVisible()
  // A line that appears above would move what is being dragged.
  await expect(treeLine(page, 'Arts')).not.toHaveAttribute('aria-expanded', /./)
  await expect(treeLine(page, 'Engineering')).toHaveAttribute('aria-expanded', 'true')
  await expect(treeLine(page, 'Bridges and roads')).toBeVisible()

  await treeLine(page, 'Arts').dragTo(treeLine(page, 'Engineering'))
  await expect(dialog(page)).toContainText('Move “Arts” below “Engineering”?')
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(treeLine(page, 'Arts')).toHaveAttribute('aria-level', '3')

  await verb(page, 'Engineering', 'Move')
  await dialog(page).getByRole('button', { name: 'Remove Demo University' }).click()
  // Not below itself or its descendants.
  await dialog(page).getByRole('combobox', { name: 'New parent organisation' }).fill('e2e-arts')
  await expect(page.getByText('No results').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  await verb(page, 'Arts', 'Merge into another organisation')
  await expect(dialog(page)).toContainText('It has no people')
  await dialog(page).getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(dialog(page).getByRole('combobox')).toHaveAttribute('aria-invalid', 'true')
  await pick(page, 'Into', 'e2e-bridges')
  await dialog(page).getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(treeLine(page, 'Arts')).toHaveCount(0)

  await verb(page, 'Engineering', 'Delete')
  await expect(dialog(page)).toContainText('1 direct sub-organisation')
  await pick(page, 'Move its sub-organisations to', 'school')
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(treeLine(page, 'Engineering')).toHaveCount(0)
  await expect(treeLine(page, 'Bridges and roads')).toHaveAttribute('aria-level', '2')

  await verb(page, 'Bridges and roads', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(treeLine(page, 'Bridges and roads')).toHaveCount(0)
})

test('by keyboard alone, in Chinese: find, choose, rename, disable and enable an organisation', async ({
  browser,
  school,
  logIn,
}) => {
  const context = await browser.newContext({ locale: 'zh-CN', baseURL: school.url })
  const page = await context.newPage()
  await logIn(page, 'root', PAGE)
  await openFirstOrganization(page)
  await expect(treeLine(page, 'Computer Science')).toBeVisible()
  await page.keyboard.press('Home')
  // Sent at once: letters that come too late begin a new search.
  await Promise.all([...'comp'].map((letter) => page.keyboard.press(letter)))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/organization=[\da-f-]{36}/)
  await expect(treeLine(page, 'Computer Science')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(treeLine(page, 'Demo University')).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByLabel('简体中文名称').focus()
  await expect(page.getByLabel('简体中文名称')).toBeFocused()
  await page.keyboard.type('计算机系')
  await page.keyboard.press('Enter')
  await expect(treeLine(page, '计算机系')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  // The dialog returns the focus; only then it can be moved on.
  await expect(page.getByRole('tree')).toBeFocused()

  await page.getByRole('button', { name: '对“计算机系”的操作' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press(page, 'ArrowDown', 4)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(treeLine(page, '计算机系')).toHaveAccessibleName(/已停用/)
  await page.reload()
  await expect(treeLine(page, '计算机系')).toHaveAttribute('aria-selected', 'true')

  await page.getByRole('searchbox', { name: '名称、拼音或编码' }).focus()
  await page.keyboard.type('jisuanji')
  await expect(page.getByText('没有符合的组织机构')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.type('cs')
  await expect(page.locator('.tree-found')).toContainText('Demo University / cs')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tree')).toBeFocused()
  await page.getByRole('button', { name: '对“计算机系”的操作' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press(page, 'ArrowDown', 4)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(treeLine(page, '计算机系')).not.toHaveAccessibleName(/已停用/)
  await context.close()
})

test('an organisation that is opened while the tree reloads stays open', async ({ page, logIn }) => {
  const ofTheTop = ({ pathname, searchParams }: URL) =>
    pathname.endsWith('/organization/children/') && !searchParams.has('parentId')
  await logIn(page, 'root', PAGE)
  const top = treeLine(page, 'Demo University')
  await expect(top).toBeVisible()
  await page.getByRole('tree').focus()
  await press(page, 'Home', 1)
  // It is closed at first if another journey has made a second one at the top.
  if ((await top.getAttribute('aria-expanded')) === 'true') await press(page, 'ArrowLeft', 1)
  await expect(top).toHaveAttribute('aria-expanded', 'false')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(ofTheTop, async (route) => {
    await released
    await route.continue()
  })
  const reload = page.waitForRequest((request) => ofTheTop(new URL(request.url())))
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await reload
  await page.getByRole('tree').focus()
  await press(page, 'ArrowRight', 1)
  await expect(top).toHaveAttribute('aria-expanded', 'true')
  const below = page.waitForResponse((answer) => new URL(answer.url()).searchParams.has('parentId'))
  release()
  await below
  await expect(top).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('treeitem', { level: 2 }).first()).toBeVisible()
})

const inTwoLanguages = testWithServer('organizations in two languages', () =>
  startGatehouse({
    bootstrap: {
      organizations: [
        { code: 'school', name: '示范大学', names: { en: 'Demo University' } },
        { code: 'cs', name: '计算机学院', parent: 'school', names: { en: 'Computing' } },
      ],
      users: [{ account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true }],
      settings: { login: { secondFactorSuperUsers: false } },
    },
  }),
)

inTwoLanguages('the tree is in the language chosen last, whichever answer comes last', async ({ page, logIn }) => {
  const speak = async (language: '简体中文' | 'English') => {
    await page.getByRole('button', { name: /^(Language|语言)/ }).click()
    await page.getByRole('menuitemradio', { name: language }).click()
  }
  const isChildren = ({ pathname }: URL) => pathname.endsWith('/organization/children/')
  const TOP = (url: URL) => isChildren(url) && !url.searchParams.has('parentId')
  const BELOW = (url: URL) => isChildren(url) && url.searchParams.has('parentId')
  /** Waits until the page has dealt with the answer that was held back. */
  const release = async (letGo: () => void) => {
    const late = page.waitForResponse((answer) => isChildren(new URL(answer.url())))
    letGo()
    await (await late).finished()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
  await logIn(page, 'root', PAGE)
  await expect(treeLine(page, 'Computing')).toBeVisible()

  for (const first of [TOP, BELOW]) {
    const late = await holdFirst(page, first)
    const asked = page.waitForRequest((request) => first(new URL(request.url())))
    await page.reload()
    await asked
    await speak('简体中文')
    await expect(treeLine(page, '示范大学')).toBeVisible()
    await release(late)
    await expect(treeLine(page, '计算机学院')).toBeVisible()
    await expect(treeLine(page, '示范大学')).toBeVisible()
    await speak('English')
    await expect(treeLine(page, 'Computing')).toBeVisible()
  }

  const late = await holdFirst(page, TOP)
  await speak('简体中文')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await speak('English')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await release(late)
  await expect(treeLine(page, 'Demo University')).toBeVisible()
  await expect(treeLine(page, 'Computing')).toBeVisible()
})

test('reference data is created, renamed and sorted; entries in use can not be deleted', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/user-category')
  await page.getByRole('button', { name: 'New entry' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Guest')
  await dialog(page).getByLabel('Code').fill('e2e-guest')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  const rows = page.locator('tbody tr')
  await expect(rows.last()).toContainText('Guest')
  // Other journeys in this school may have left entries.
  const count = await rows.count()
  await page.getByRole('button', { name: 'Move Guest up' }).click()
  await expect(rows.nth(count - 2)).toContainText('Guest')
  await page.getByRole('button', { name: 'Rename Guest' }).click()
  await dialog(page).getByLabel('Name in English').fill('Visitor')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(rows.nth(count - 2)).toContainText('Visitor')
  await page.getByRole('button', { name: 'Delete Student' }).click()
  await expect(dialog(page)).toContainText('people use it')
  await dialog(page).getByRole('link', { name: 'Show these people' }).click()
  await expect(page).toHaveURL(/organization\?categoryId=/)
  await expect(page.locator('.filter-chips')).toContainText('Student')
  await page.goBack()
  await page.getByRole('link', { name: /^\d+ Student$/ }).click()
  await expect(page.locator('.filter-chips')).toContainText('Student')
  await page.goBack()
  await page.getByRole('button', { name: 'Delete Visitor' }).click()
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('“Visitor” deleted')).toBeVisible()
})
