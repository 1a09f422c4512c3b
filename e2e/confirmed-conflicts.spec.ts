import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { VENDORS } from '../tools/simulators/index.ts'
import { callerAs } from './back-office.ts'
import { expect, test } from './fixtures.ts'

/** Confirms twice: first what somebody else changed is told, then it is done. */
async function confirmTwice(page: Page, verb: string, told: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: verb, exact: true })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText(told)
  await confirm.click()
  await expect(dialog).toHaveCount(0)
}

const AGAIN = 'What is there now has been loaded: check it and confirm again.'

test('a theme that somebody else changed is deleted with the second confirmation, which shows what changed', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  const theme = await call<{ id: string; version: number; draft: object }>('/login_config/create/', { name: 'Autumn' })
  await logIn(page, 'root', '/auth_web/manage/login-topic')
  await page.getByRole('button', { name: 'Delete Autumn' }).click()
  const { id, version, draft } = theme
  await call(`/login_config/themes/${id}/update/`, { version, name: 'Late autumn', draft: { ...draft, radius: 3 } })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByRole('row', { name: /Late autumn/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /3 px/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('“Autumn” deleted')).toBeVisible()
  await expect(page.getByText('Late autumn')).toHaveCount(0)
})

test('an interface that somebody else switched meanwhile is switched with the second confirmation', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  type Found = { records: { apiId: string; apiComment: string; version: number }[] }
  const { records } = await call<Found>('/api_manage/query/?search=people.changes')
  const one = records[0] as Found['records'][0]
  const path = `/api_manage/${one.apiId}/update/`
  await logIn(page, 'root', `/auth_web/manage/api-manage?search=${one.apiId}`)
  await page.getByRole('button', { name: /^Disable / }).click()
  const { version } = await call(path, { status: 0, version: one.version })
  await call(path, { status: 1, version })
  await confirmTwice(page, 'Disable', AGAIN)
  await expect(page.getByRole('row', { name: new RegExp(one.apiId) })).toContainText('Disabled')
  const [off] = (await call<Found>(`/api_manage/query/?search=${one.apiId}`)).records
  await call(path, { status: 1, version: off?.version })
})

test('the secret of an application that somebody else changed is replaced with the second confirmation, and what is typed still finds the conflict', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  const client = { appId: 'notes', name: 'Notes', protocol: 'oauth2', redirectUris: ['https://notes.school.test/back'] }
  const { id } = await call('/application_manage/create/', client)
  const details = () => call<{ version: number }>(`/application_manage/${id}/details/`)
  const rename = async (name: string) =>
    call(`/application_manage/${id}/update/`, { version: (await details()).version, changes: { name } })
  await logIn(page, 'root', `/auth_web/manage/application-manage/detail-set/${id}?tab=oauth2`)
  await page.getByRole('button', { name: 'New secret' }).click()
  await rename('Notebook')
  await confirmTwice(page, 'New secret', AGAIN)
  await expect(page.locator('.secret-value code')).toBeVisible()

  // What is typed is based on the version before the other person's.
  await page.getByRole('tab', { name: 'Basic', exact: true }).click()
  await page.getByRole('button', { name: 'Leave without it' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My notes')
  await page.getByRole('tab', { name: 'OAuth' }).click()
  await page.getByRole('button', { name: 'New secret' }).click()
  await rename('Their notes')
  await confirmTwice(page, 'New secret', AGAIN)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.conflict').getByRole('row', { name: /^Name/ })).toContainText('Their notes')
})

test('a picture is removed with the second confirmation when the data was changed elsewhere', async ({
  page,
  school,
  logIn,
}) => {
  const root = await callerAs(school.url, 'root')
  const people = await root<{ records: { id: string }[] }>('/user_information/query/?search=noscript')
  const path = `/user_information/${people.records[0]?.id}`
  await logIn(page, 'noscript', '/auth_web/personal-data')
  const buffer = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#1d6b45' } })
    .png()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'green.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Remove picture' }).click()
  const call = await callerAs(school.url, 'noscript')
  const { version } = await call(`${path}/details/`)
  await call(`${path}/user_nick/`, { nick: 'Elsewhere', version })
  await confirmTwice(page, 'Remove picture', AGAIN)
  await expect(page.getByRole('button', { name: 'Remove picture' })).toHaveCount(0)
})

test('the stored secret of a vendor that somebody else changed is removed with the second confirmation', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  type Stored = { version: number; settings: object }
  const { version } = await call<Stored>('/vendor/qq/details/')
  const use = { enabled: false, position: 1, unbound: 'bind', matchAccount: false }
  const settings = VENDORS.qq.settings('http://localhost:9')
  const first = await call<Stored>('/vendor/qq/update/', { ...use, version, settings })
  await logIn(page, 'root', '/auth_web/manage/qq')
  await page.getByRole('button', { name: 'Remove secret' }).click()
  await call('/vendor/qq/update/', { ...use, position: 2, version: first.version, settings: first.settings })
  await confirmTwice(page, 'Remove secret', AGAIN)
  await expect(page.getByText('The secret was removed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove secret' })).toHaveCount(0)

  // What is typed is based on the version before the other person's.
  const bare = await call<Stored>('/vendor/qq/details/')
  const again = await call<Stored>('/vendor/qq/update/', { ...use, version: bare.version, settings })
  await page.reload()
  await page.getByLabel('Position').fill('5')
  await page.getByRole('button', { name: 'Remove secret' }).click()
  await call('/vendor/qq/update/', { ...use, position: 3, version: again.version, settings: again.settings })
  await confirmTwice(page, 'Remove secret', AGAIN)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.conflict').getByRole('row', { name: /^Position/ })).toContainText('3')
})
