import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { addCampusId, bindAccount, isIn, listed, logInBy, reauthenticate } from '../../testing/third-party.ts'

test('whoever unlinks is not linked again on the provider’s word, until they link an account there themselves', async () => {
  const server = await testServer()
  const campus = await addCampusId(server, { matchBy: ['phone'] })
  campus.person = { phone_number_verified: true }
  const comesIn = async () => {
    const browser = createBrowser(server)
    await logInBy(server, browser)
    return isIn(browser)
  }
  await addPerson(server, { account: 'lilei', phone: '13800000001' })
  expect(await comesIn()).toBe(true)
  const page = await enterPortal(server, 'lilei')
  await reauthenticate(page)
  expect((await page.call('/third_party_account/campus-id/unbind/', { body: {} })).status).toBe(200)
  expect(await comesIn()).toBe(false)
  expect((await listed(page))[0]?.bound).toBeNull()
  // Their own decision undoes it: the link may be removed elsewhere, and is found again.
  await bindAccount(page)
  await server.platform.sql`delete from third_party_accounts`
  expect(await comesIn()).toBe(true)
})
