import type { Page } from '@playwright/test'

/** Holds the first answer back, in the language that it was asked for, until the returned function is called. */
export async function holdFirst(page: Page, url: Parameters<Page['route']>[0]): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch()
      await promise
      // The page may have cancelled its request.
      await route.fulfill({ response }).catch(() => undefined)
    },
    { times: 1 },
  )
  return resolve
}
