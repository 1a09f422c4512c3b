import { createServer } from 'node:http'
import { test as base, expect } from '@playwright/test'
import { violations } from './axe.ts'
import { fillIn, PASSWORD } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

/** An application that is not the institution's own: all it does is to be come back to. */
async function startStranger() {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Survey</title><h1>${request.url?.includes('code=') ? 'Welcome' : 'No'}</h1>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  return { url, close: () => server.close() }
}

type Survey = { home: string; authorize: string; gatehouse: Gatehouse }

const test = base.extend<{ demo: Gatehouse; survey: Survey }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  demo: async ({}, use) => {
    const demo = await startGatehouse({ env: { DEMO: '1' } })
    await use(demo)
    await demo.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  survey: async ({}, use) => {
    const stranger = await startStranger()
    const application = {
      appId: 'survey',
      name: 'Survey',
      protocol: 'oauth2',
      type: 'whitelist',
      clientId: 'survey',
      clientSecret: 'survey-secret',
      redirectUris: [stranger.url],
      scopes: ['openid', 'profile', 'email'],
      consent: 'explicit',
    }
    const users = [{ account: 'lilei', name: 'Li Lei', password: PASSWORD }]
    const gatehouse = await startGatehouse({ bootstrap: { users, applications: [application] } })
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'survey',
      redirect_uri: stranger.url,
      scope: 'openid profile email',
      state: 'state',
      ui_locales: 'en',
    })
    await use({ home: stranger.url, authorize: `${gatehouse.url}/fwk_cas_service/oidc/authorize?${query}`, gatehouse })
    await gatehouse.stop()
    stranger.close()
  },
})

const addressOf = (demo: Gatehouse, after: number, appId: string) => {
  const { hostname, port } = new URL(demo.url)
  return `http://${hostname}:${Number(port) + after}/${appId}/`
}

test('in by CAS, on into OpenID Connect without a question, out there: out of both', async ({ page, demo }) => {
  const password = await demo.printedPassword('lilei')
  const [library, learning] = [addressOf(demo, 1, 'library'), addressOf(demo, 2, 'learning')]
  await page.goto(library)
  await fillIn(page, 'lilei', password)
  await expect(page).toHaveURL(library)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')

  await page.goto(learning)
  await expect(page).toHaveURL(learning)
  await expect(page.getByText('OpenID Connect')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')

  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${learning}goodbye`)
  await page.goto(library)
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
  await page.goto(learning)
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled })

    test('an application of others: log in, read what it will learn, allow it, be there', async ({ page, survey }) => {
      await page.goto(survey.authorize)
      await page.getByLabel('Account', { exact: false }).first().fill('lilei')
      await page.locator('#password').fill(PASSWORD)
      await page.locator('button[type=submit]').first().click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Let Survey know who you are?')
      await expect(page.getByRole('listitem')).toContainText(['under a name', 'your name', 'your email'])
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`^${survey.home}\\?code=`))
      await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
      await page.goto(survey.authorize)
      await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    })
  })
}
