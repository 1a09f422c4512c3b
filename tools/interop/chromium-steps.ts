import assert from 'node:assert/strict'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../../e2e/chromium.ts'
import { ACCOUNT, PASSWORD } from './content.ts'
import type { RelyingParties } from './relying-parties.ts'
import { PERSON } from './relying-party-steps.ts'
import { isLoginPage, type Step } from './step.ts'

const TIMEOUT_MS = 20_000

/** A separate Chromium for one step. */
async function inChromium(run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const path = chromiumPath()
  const browser = await chromium.launch({ ...(path && { executablePath: path }), args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' })
    context.setDefaultTimeout(TIMEOUT_MS)
    await run(context)
  } finally {
    await browser.close()
  }
}

async function logIn(page: Page): Promise<void> {
  await page.waitForURL((url) => isLoginPage(url.href))
  await page.locator('input[name=username]').fill(ACCOUNT)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form button[type=submit]').first().click()
}

/** The page of oidc-client-ts reports a login or logout by the method `how`. */
async function tells(page: Page, how: string, expected: object): Promise<void> {
  const shown = page.locator('pre', { hasText: `"how":"${how}"` })
  assert.deepEqual(JSON.parse((await shown.textContent()) ?? ''), { how, ...expected })
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function logInByRedirect(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/`)
  await press(page, 'redirect')
  await logIn(page)
  await tells(page, '/callback', { ...PERSON, isNew: false })
  return page
}

/** Clients that run in a browser, and browser-only behaviour: self-submitting forms, frames, popups. */
export function chromiumSteps(places: RelyingParties, sso: string, step: Step): void {
  expressStep(places['express-openid-connect'], step)
  const url = places['oidc-client-ts']
  step('oidc-client-ts: redirect, refresh, silent renewal in a frame, logout', () =>
    inChromium(async (context) => {
      const page = await logInByRedirect(context, url)
      for (const how of ['refresh', 'iframe']) {
        await press(page, how)
        await tells(page, how, { ...PERSON, isNew: true })
      }
      await press(page, 'log out')
      await page.waitForURL(`${url}/`)
      await asksForLogin(context, sso)
    }),
  )
  step('oidc-client-ts: login and logout in a popup', () =>
    inChromium(async (context) => {
      const page = await context.newPage()
      await page.goto(`${url}/`)
      const [login] = await Promise.all([page.waitForEvent('popup'), press(page, 'popup')])
      await logIn(login)
      await tells(page, 'popup', { ...PERSON, isNew: false })
      assert.equal(await page.evaluate('localStorage.keptOpener'), 'true')
      await Promise.all([page.waitForEvent('popup'), press(page, 'log out in a popup')])
      await tells(page, 'log out in a popup', { isNew: true })
      await asksForLogin(context, sso)
    }),
  )
  step('oidc-client-ts: a popup on a session keeps its opener and closes by itself', () =>
    inChromium(async (context) => {
      const page = await logInByRedirect(context, url)
      await press(page, 'popup')
      await tells(page, 'popup', { ...PERSON, isNew: true })
      assert.equal(await page.evaluate('localStorage.keptOpener'), 'true')
    }),
  )
}

async function asksForLogin(context: BrowserContext, sso: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${sso}/fwk_cas_service/login`)
  assert.ok(isLoginPage(page.url()), `still logged in: ${page.url()}`)
}

function expressStep(url: string, step: Step): void {
  step('express-openid-connect: an ID token in a form, RP-initiated logout', () =>
    inChromium(async (context) => {
      const page = await context.newPage()
      await page.goto(`${url}/`)
      await logIn(page)
      await page.waitForURL(`${url}/`)
      assert.deepEqual(JSON.parse((await page.locator('body').textContent()) ?? ''), PERSON)
      await page.goto(`${url}/logout`)
      assert.ok(isLoginPage(page.url()), `back at the application, which asks for a login: ${page.url()}`)
    }),
  )
}
