import { createHmac, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { textToSign, WEB_APP_KEY } from '../shared/contract/signature.ts'

/** Without a body it is a read call. */
type Asked = { body?: object; query?: Record<string, string> }

/** A back-office call as the page makes it, for setup that a journey does not show. @returns its data. */
export async function signedCall<Data>(
  page: Page,
  path: string,
  { body: given, query: asked = {} }: Asked,
): Promise<Data> {
  const whole = `/auth_service${path}`
  const method = given ? 'POST' : 'GET'
  const body = given ? JSON.stringify(given) : ''
  const query = new URLSearchParams({ ...asked, uuids: randomUUID() })
  const timestamp = String(Date.now())
  const sign = createHmac('sha256', WEB_APP_KEY)
    .update(textToSign(timestamp, method, whole, query, body))
    .digest('hex')
  const token = await page.evaluate(() => localStorage.getItem('gatehouse.token') ?? '')
  const headers = { 'content-type': 'application/json', timestamp, sign: sign.toUpperCase(), token }
  const answer = await page.request.fetch(`${whole}?${query}`, { method, headers, ...(given && { data: body }) })
  const { state, message, data } = (await answer.json()) as { state: number; message: string; data: Data }
  if (state !== 200) throw new Error(`${path}: ${message}`)
  return data
}
