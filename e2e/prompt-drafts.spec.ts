import type { Locator } from '@playwright/test'
import type { WordingText } from '../shared/contract/languages.ts'
import { expect, test } from './fixtures.ts'
import { signedCall } from './signed-call.ts'

const PAGE = '/auth_web/manage/tip-edit'

test('what was typed in a field waits when another text is opened, is all saved or discarded together, and nobody leaves by accident', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', `${PAGE}/account-login`)
  const list = page.getByRole('region', { name: 'Texts' })
  const screen = page.frameLocator('.preview-frame iframe')
  const type = async (key: string, text: string) => {
    const field = page.getByRole('textbox', { name: `Text of ${key}` })
    // Typing draws the screen anew: a click at that moment is lost.
    await expect(async () => {
      await screen.locator(`[data-key="${key}"]`).first().click()
      await expect(field).toBeVisible({ timeout: 2000 })
    }).toPass()
    await field.fill(text)
  }
  await type('login.submit', 'Come in')
  await type('login.title', 'Welcome')
  const waiting = list.getByRole('listitem').filter({ hasText: 'login.submit' })
  await expect(waiting.getByText('Not saved yet')).toBeVisible()
  await expect(waiting.getByRole('button', { name: 'Edit English: Come in' })).toBeVisible()
  // The bar covers nothing of the field in which somebody types.
  const bottom = async (one: Locator) => one.boundingBox().then((box) => (box ? box.y + box.height : 0))
  const open = list.locator('[aria-current]')
  const bar = page.locator('.save-bar')
  await expect.poll(async () => (await bottom(open)) <= ((await bar.boundingBox())?.y ?? 0)).toBe(true)
  // The screen shows both.
  await expect(screen.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await expect(screen.getByRole('button', { name: 'Come in' }).first()).toBeVisible()

  await page.getByRole('link', { name: 'Message templates' }).click()
  await page.getByRole('button', { name: 'Stay on the page' }).click()
  await expect(page.getByText('2 unsaved changes')).toBeVisible()

  // What is refused is told at its text, and nothing of the two is saved.
  await page.getByRole('textbox', { name: 'Text of login.title' }).fill('<b>Welcome</b>')
  await page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.save-bar').getByRole('alert')).toContainText('login.title')
  await expect(list.getByText('Markup is not allowed')).toBeVisible()
  await page.getByRole('textbox', { name: 'Text of login.title' }).fill('Welcome')
  await page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('2 texts saved')).toBeVisible()
  await expect(list.getByText('Customised')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone')).toBeVisible()
  await expect(list.getByText('Customised')).toHaveCount(0)

  // What is typed while a save is under way is a change of what was saved.
  await type('login.submit', 'Come in')
  await type('login.title', 'Welcome')
  const field = page.getByRole('textbox', { name: 'Text of login.title' })
  await page.route('**/language/en/update/**', async (route) => {
    await field.fill('Welcome back')
    await route.continue()
  })
  await page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('2 texts saved').last()).toBeVisible()
  await page.unroute('**/language/en/update/**')
  await expect(field).toHaveValue('Welcome back')
  await expect(waiting.getByText('Not saved yet')).toHaveCount(0)

  // Whoever saves many texts is told which one somebody else has changed.
  const theirs = async (text: string | null) => {
    const { texts } = await signedCall<WordingText>(page, '/language/text/', { query: { key: 'login.title' } })
    const version = texts.find(({ language }) => language === 'en')?.version ?? 0
    await signedCall(page, '/language/en/update/', { body: { texts: [{ key: 'login.title', text, version }] } })
  }
  await type('login.submit', 'Enter')
  await theirs('Theirs')
  await page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.save-bar').getByRole('alert')).toContainText(
    'login.title (English): Someone else changed',
  )
  await page.getByRole('button', { name: 'Discard' }).click()
  await theirs(null)

  // Escape leaves the field and what was typed; the notice has the way back.
  await type('login.submit', 'Come in')
  await page.keyboard.press('Escape')
  await expect(list.getByText('Not saved yet')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(waiting.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('unsaved change')).toHaveCount(0)
  await page.getByRole('link', { name: 'Message templates' }).click()
  await expect(page).toHaveURL(/massage-template/)
})
