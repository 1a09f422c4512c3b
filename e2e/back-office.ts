import type { Locator, Page } from '@playwright/test'
import { createBrowser } from '../server/testing/browser.ts'
import type { TestServer } from '../server/testing/server.ts'
import { type SignedOptions, signedFetch } from '../server/testing/signed.ts'
import { expect, loginFor, PASSWORD } from './fixtures.ts'

/** An API call of the portal, returning the answer's data. @throws Error when refused. */
export type Call = <T = { id: string; version: number }>(path: string, body?: unknown) => Promise<T>

/** Somebody who makes the pages' calls without the pages, to set up a journey. */
export async function callerAs(url: string, account: string): Promise<Call> {
  const server = { url, platform: { now: () => new Date() } } as TestServer
  const browser = createBrowser(server)
  const ask = async <T>(path: string, options: SignedOptions): Promise<T> => {
    const reply = await signedFetch(server, path, { ...options, cookie: browser.cookieHeader('/auth_service/') })
    for (const line of reply.headers.getSetCookie()) browser.remember(line)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
    return JSON.parse(text).data
  }
  const sent = await browser.post(loginFor(url, '/auth_web/'), { username: account, password: PASSWORD })
  const { location } = await browser.get(sent.location)
  const jsessionid = new URL(location).searchParams.get('jsessionid')
  const { token } = await ask<{ token: string }>('/login/pc/', { body: { jsessionid } })
  return (path, body) => ask(path, { token, ...(body === undefined ? {} : { body }) })
}

/** The row of an organisation in the tree, whatever follows its name. */
export const treeLine = (page: Page, name: string): Locator =>
  page.getByRole('treeitem', { name: new RegExp(`^${name} ?[,，]`) })

/** Opens the first organisation of the tree: it is open from the start only as long as no other journey has created a second one beside it. */
export async function openFirstOrganization(page: Page): Promise<void> {
  const university = treeLine(page, 'Demo University')
  await expect(university).toBeVisible()
  await page.getByRole('tree').focus()
  await page.keyboard.press('Home')
  if ((await university.getAttribute('aria-expanded')) !== 'true') await page.keyboard.press('ArrowRight')
}
