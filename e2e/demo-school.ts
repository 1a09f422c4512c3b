import { test as base } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

type Account = { account: string; password: string }

/** The demo school as `npm start` shows it after cloning. */
export const test = base.extend<{ demo: Gatehouse; account: (name: string) => Promise<Account> }>({
  demo: [
    async ({ servers }, use) =>
      use(await servers.own('demo', () => startGatehouse({ env: { DEMO: '1' }, byCommand: true }))),
    { timeout: 90_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.url),
  account: async ({ demo }, use) =>
    use(async (account) => ({ account, password: await demo.printedPassword(account) })),
})
