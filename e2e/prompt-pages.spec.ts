import type { Frame, Locator, Page } from '@playwright/test'
import { PROMPT_PAGES, type PromptPageName } from '../shared/contract/prompt-pages.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { seeLoginError } from './login-error.ts'
import { signedCall } from './signed-call.ts'

const PAGE = '/auth_web/manage/tip-edit'
type Text = { key: string; screen: string; text: string }
type Answer = { data: { texts: (Omit<Text, 'text'> & { texts: { language: string; text: string }[] })[] } }

/** Opens the page and reads its texts from the call it makes. */
async function openPage(page: Page, name: PromptPageName): Promise<Text[]> {
  const answer = page.waitForResponse((one) => one.url().includes('/language/prompt/') && one.url().includes(name))
  await page.goto(`${PAGE}/${name}`)
  const { data } = (await (await answer).json()) as Answer
  return data.texts.flatMap(({ key, screen, texts }) => {
    const one = texts.find(({ language }) => language === 'en')
    return one ? [{ key, screen, text: one.text }] : []
  })
}

/** Stores a draft of texts as the page does while typing. @returns its token. */
async function keepTexts(page: Page, texts: Record<string, string>): Promise<string> {
  const draft = { token: null, draft: { texts: { en: texts } } }
  return (await signedCall<{ token: string }>(page, '/login_config/preview/', { body: draft })).token
}

/** Loads a screen in the frame and waits until it has settled. */
async function show(page: Page, address: string): Promise<Frame> {
  await page.evaluate(
    (src) =>
      new Promise<void>((done) => {
        const frame = document.querySelector<HTMLIFrameElement>('.preview-frame iframe')
        const hear = ({ data, source }: MessageEvent<{ type?: string } | null>) => {
          if (data?.type !== 'gatehouse-shown-texts' || source !== frame?.contentWindow) return
          removeEventListener('message', hear)
          done()
        }
        addEventListener('message', hear)
        frame?.setAttribute('src', src)
      }),
    address,
  )
  return (await (await page.locator('.preview-frame iframe').elementHandle())?.contentFrame()) as Frame
}

/** Tells the frame which text to show, as the list does. */
const chooseText = (page: Page, key: string): Promise<void> =>
  page.evaluate((chosen) => {
    const frame = document.querySelector<HTMLIFrameElement>('.preview-frame iframe')?.contentWindow
    frame?.postMessage({ type: 'gatehouse-choose-text', key: chosen }, location.origin)
  }, key)

/** The texts of the screen itself, including those for screen readers. */
const saidIn = (frame: Frame) =>
  frame.evaluate(() => {
    const names = ['aria-label', 'placeholder', 'alt', 'title']
    const attributes = [...document.body.querySelectorAll('*')].flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.textContent, ...attributes].join('\n')
  })

/** The texts below the screen, which no state of it shows. */
const saidBeside = (frame: Frame) => frame.evaluate(() => document.getElementById('elsewhere')?.textContent ?? '')

/** Texts listed below the screen, by the reason why no state shows them. All others are on the screen itself. */
const BESIDE_BY_REASON = {
  'a captcha is shown in place of this refusal': [
    'errors.password-recovery.captcha-required',
    'errors.password-recovery.captcha-wrong',
    'errors.activation.captcha-required',
    'errors.activation.captcha-wrong',
  ],
  'the sample has another number, or another state': [
    'recovered.logins_one',
    'password.rule.former_one',
    'recovery.method.questions-alone_one',
    'recovery.method.questions-code_one',
    'activation.state.open',
    'password.strength.medium',
    'password.strength.strong',
    'set-account.kept',
    'set-account.no-channel',
  ],
  'the institution of the sample demands no format, and no other rule of passwords': [
    'complete-profile.format',
    ...['china-mobile', 'chinese', 'digits', 'letters-digits', 'pattern', 'resident-id'].map(
      (format) => `complete-profile.format.${format}`,
    ),
    ...['least', 'length', 'most'].flatMap((limit) => [
      `complete-profile.format.${limit}_one`,
      `complete-profile.format.${limit}_other`,
    ]),
    ...['contains-account', 'contains-birthday', 'contains-name', 'contains-phone', 'letters', 'no-digit'].map(
      (rule) => `password.rule.${rule}`,
    ),
    ...['no-letter', 'no-lower', 'no-special', 'no-upper', 'too-long', 'too-short'].map(
      (rule) => `password.rule.${rule}`,
    ),
  ],
  'it belongs to another page, or to what a person does in the moment': [
    'activation.begin-again',
    'activation.failed.title',
    'activation.forgot',
    'activation.help',
    'recovery.help',
    'errors.password.too-weak',
    'errors.profile.bad-birthday',
    'errors.profile.bad-id-number',
    'errors.profile.bad-nickname',
    'errors.profile.not-yours',
    'reauthentication.declined',
    'reauthentication.missing',
    'password.and',
    'password.caps-lock',
    'password.judging',
    'password.old',
    'password.old-missing',
    'set-account.mailbox.removed',
    'set-account.phone.removed',
  ],
}
const BESIDE: ReadonlySet<string> = new Set(Object.values(BESIDE_BY_REASON).flat())

for (const name of PROMPT_PAGES) {
  test(`every text of ${name} changes visibly on its screen`, async ({ page, logIn }) => {
    test.setTimeout(240_000)
    // Not a page of texts, whose call would be mistaken for the answer.
    await logIn(page, 'root', '/auth_web/manage/home')
    const texts = await openPage(page, name)
    const markOf = (one: Text) => `§${texts.indexOf(one)}§`
    const token = await keepTexts(page, Object.fromEntries(texts.map((one) => [one.key, `${markOf(one)} ${one.text}`])))
    await page.locator('.preview-frame iframe').waitFor()
    const states = Map.groupBy(texts, ({ screen, key }) =>
      key.startsWith('errors.') ? `${screen}?key=${key}&` : `${screen}?`,
    )
    for (const [state, shown] of states) {
      const frame = await show(page, `/auth_web/preview/${token}/tip-edit/${name}/${state}lang=en`)
      const said = await saidIn(frame)
      for (const one of shown.filter((text) => !said.includes(markOf(text)))) {
        const where = BESIDE.has(one.key) ? saidBeside : saidIn
        // Repeated, because the previous screen may have received it.
        const look = async () => {
          await chooseText(page, one.key)
          return await where(frame)
        }
        await expect.poll(look, one.key).toContain(markOf(one))
      }
    }
  })
}

test('the buttons over the texts do not make the screen wider than its frame', async ({ page, logIn }) => {
  await logIn(page, 'root', `${PAGE}/get-password`)
  const screen = page.frameLocator('.preview-frame iframe')
  await expect(screen.locator('#texts button').first()).toBeAttached()
  const beyond = () => screen.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
  await expect.poll(beyond).toBe(0)
})

test('the login error is reworded by a click on the screen, shown on the login page, and reset', async ({
  page,
  browser,
  logIn,
}) => {
  await logIn(page, 'root', `${PAGE}/account-error`)
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: '简体中文' }).click({ timeout: 10_000 })
  const list = page.getByRole('region', { name: 'Texts' })
  const screen = page.frameLocator('.preview-frame iframe')
  // The usual error is shown from the start.
  await expect(screen.locator('[data-key="errors.sign-in.refused"]')).toBeVisible()
  await list.getByRole('searchbox').fill('errors.sign-in.refused')
  await list.getByRole('button', { name: /^Edit/ }).first().click()
  const field = page.getByRole('textbox', { name: 'Text of errors.sign-in.refused' })
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await screen.locator('[data-key="errors.sign-in.refused"]').click()
  await expect(field).toBeFocused()
  await field.fill('学号或密码不对，请 {{minutes}} 分钟后再试。')
  await expect(screen.getByText('学号或密码不对')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Text saved')).toBeVisible()
  await expect(list.getByRole('button', { name: /^Edit.*学号或密码不对/ })).toBeFocused()

  await seeLoginError(browser, '学号或密码不对')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone')).toBeVisible()
})

/** Tabs until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('not reached with the Tab key')
}

test('on a phone in dark mode, by keyboard alone, the login error is reworded in another language next to its screen, and reset', async ({
  page,
  logIn,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, 'root', `${PAGE}/account-error`)
  const list = page.getByRole('region', { name: 'Texts' })
  const open = list.getByRole('button', { name: /^Edit English: The account or password/ })
  const search = list.getByRole('searchbox')
  await search.focus()
  await page.keyboard.type('errors.sign-in.refused')
  await tabTo(page, open)
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Text of errors.sign-in.refused' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(/^The account or password/)
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
  const screen = page.frameLocator('.preview-frame iframe')
  await screen.locator('[data-key="errors.sign-in.refused"]').focus()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()

  // The field that is open goes over to the language, and takes nothing of the other one with it, which waits there.
  await page.keyboard.type('Half a sentence')
  const language = page.getByRole('combobox', { name: 'Language' })
  await language.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(language).toHaveText('繁體中文')
  await expect(field).toHaveValue(/^帳號或密碼有誤/)
  await field.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('帳號或密碼不對，請在 {{minutes}} 分鐘後再試。')
  await expect(screen.getByText('帳號或密碼不對')).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide, 'pixels wider than the phone').toBeLessThanOrEqual(0)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Text saved')).toBeVisible()

  const told = await page.request.get('/auth_web/login/surroundings?kind=login&lang=zh_TW')
  expect(await told.text()).toContain('帳號或密碼不對')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Change undone')).toBeVisible()
  await language.focus()
  await page.keyboard.press('ArrowRight')
  await expect(list.getByRole('button', { name: /^Edit English: .*Half a sentence/ })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).focus()
  await page.keyboard.press('Enter')
  await expect(open).toBeVisible()
})
