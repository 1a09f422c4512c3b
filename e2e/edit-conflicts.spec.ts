import type { Page } from '@playwright/test'
import { type Call, callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { expect, test } from './fixtures.ts'

// Custom fields would affect the people of other journeys.
test.use({ login: { trustedBrowserDays: 25 } })

const form = (page: Page) => topDialog(page)
const conflict = (page: Page) => form(page).locator('.conflict')
const save = (page: Page) => form(page).getByRole('button', { name: 'Save', exact: true }).click()

type Stored = { version: number; values: { custom?: object[] } }

async function saveCustom(call: Call, turned: (custom: object[]) => object[]): Promise<void> {
  const { version, values } = await call<Stored>('/account_field_rules/details/')
  await call('/account_field_rules/update/', { version, changes: { custom: turned(values.custom ?? []) } })
}

test('whoever edits a custom field is shown everything that somebody else changed in it', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const choices = [{ code: 's', name: 'Small' }]
  await saveCustom(call, (custom) => [...custom, { key: 'shirt', kind: 'choice', name: 'Shirt size', choices }])
  await logIn(page, 'root', '/auth_web/manage/account-field-rules?tab=custom')
  await page.getByRole('button', { name: 'Change Shirt size' }).click()
  await form(page).getByLabel('Name', { exact: true }).first().fill('Size of shirts')
  await saveCustom(call, (custom) =>
    custom.map((field) => ({
      ...field,
      names: { zh_CN: '衬衫尺码' },
      choices: [...choices, { code: 'l', name: 'Large' }],
      isSensitive: true,
      askAtActivation: true,
    })),
  )
  await save(page)
  await expect(conflict(page).getByRole('row', { name: /^Choices/ })).toContainText('Small (s), Large (l)')
  await expect(conflict(page).getByRole('row', { name: /^Sensitive/ })).toContainText('On')
  await expect(conflict(page).getByRole('row', { name: /^Asked at activation/ })).toContainText('On')
  await expect(conflict(page).getByRole('row', { name: /^Names/ })).toContainText('衬衫尺码')
})

test('whoever edits an access rule or an IP range is shown the names and messages that somebody else changed', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const rule = { name: 'Renamed rule', outcome: 'refuse', message: 'Come back later' }
  const createdRule = await call('/access_rule/create/', rule)
  const range = { name: 'Renamed range', kind: 'other', networks: ['198.51.100.0/24'] }
  const createdRange = await call('/ip_range/create/', range)
  await logIn(page, 'root', '/auth_web/manage/net-strategy?tab=rules')
  await page.getByRole('button', { name: 'Edit Renamed rule' }).click()
  await form(page).getByLabel('Name', { exact: true }).first().fill('Mine')
  const texts = { names: { zh_CN: '改名的规则' }, messages: { zh_CN: '请稍后再来' } }
  await call(`/access_rule/${createdRule.id}/update/`, { ...rule, ...texts, version: createdRule.version })
  await save(page)
  await expect(conflict(page).getByRole('row', { name: /^Names/ })).toContainText('改名的规则')
  await expect(conflict(page).getByRole('row', { name: /^Messages in other languages/ })).toContainText('请稍后再来')

  await page.goto('/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'Edit Renamed range' }).click()
  await form(page).getByLabel('Name', { exact: true }).first().fill('Mine too')
  const update = { ...range, names: { zh_CN: '改名的网段' }, version: createdRange.version }
  await call(`/ip_range/${createdRange.id}/update/`, update)
  await save(page)
  await expect(conflict(page).getByRole('row', { name: /^Names/ })).toContainText('改名的网段')
})

test('a language that somebody else changed meanwhile is deleted at the second try', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const fields = { name: 'Gaeilge', direction: 'ltr', fallback: 'en', position: 4 }
  const { version } = await call('/language/ga/add/', fields)
  await logIn(page, 'root', '/auth_web/manage/language-list')
  await page.getByRole('button', { name: 'Languages', exact: true }).click()
  await page.getByRole('button', { name: 'Delete Gaeilge' }).click()
  await call('/language/ga/change/', { ...fields, name: 'Irish', enabled: false, version })
  const remove = form(page).getByRole('button', { name: 'Delete', exact: true })
  await remove.click()
  await expect(form(page).getByRole('alert')).toContainText('confirm again')
  await expect(conflict(page).getByRole('row', { name: /Gaeilge.*Irish/ })).toBeVisible()
  await remove.click()
  await expect(page.locator('.notice')).toContainText('Gaeilge')
  await expect(page.getByRole('button', { name: 'Delete Irish' })).toHaveCount(0)
})

test('on a phone a conflict shows the states below each other, without a break inside an address', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const range = { name: 'Phone range', kind: 'other', networks: ['198.51.101.0/26'] }
  const created = await call('/ip_range/create/', range)
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'Edit Phone range' }).click()
  await form(page).getByLabel('Networks').fill('198.51.101.0/25')
  const networks = ['198.51.101.128/25', '2001:db8:4005:80b::/64']
  await call(`/ip_range/${created.id}/update/`, { ...range, networks, version: created.version })
  await save(page)
  const row = conflict(page).getByRole('row', { name: /^Networks/ })
  await expect(row).toContainText('2001:db8:4005:80b::/64')
  const broken = await row.evaluate((shown, addresses) => {
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const address of addresses) {
        const at = node.textContent?.indexOf(address) ?? -1
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + address.length)
        found.push(`${address} ${range.getClientRects().length}`)
      }
    return found
  }, networks)
  expect(broken).toEqual(networks.map((address) => `${address} 1`))
})
