import assert from 'node:assert/strict'
import { createBrowser } from './browser.ts'
import { ACCOUNT } from './content.ts'
import { GALLERY_KEYS, type GalleryKey, type GalleryPlaces, startPage } from './gallery-clients.ts'
import { logIn, type Step } from './step.ts'

/** Moodle and Koha read only the account by CAS. */
const ONLY_ACCOUNT: readonly GalleryKey[] = ['moodle-cas', 'koha-cas']

/** Gallery products: registered and configured as the gallery says, at their own paths. */
export function gallerySteps(places: GalleryPlaces, zabbix: string, step: Step): void {
  for (const key of GALLERY_KEYS) {
    step(`gallery, ${key}: a login with the library of the product, at its own address`, async () => {
      const page = await logIn(createBrowser(), startPage(key, places))
      assert.equal(page.status, 200, `${page.status} at ${page.url}: ${page.text.slice(0, 500)}`)
      const { user, name, email } = JSON.parse(page.text)
      assert.equal(user, ACCOUNT)
      if (!ONLY_ACCOUNT.includes(key)) assert.deepEqual([name, email], ['李雷', 'lilei@example.edu'])
    })
  }
  step(
    'gallery, zabbix-oidc: mod_auth_openidc logs in for it, and leaves its interface for programs alone',
    async () => {
      const { text } = await logIn(createBrowser(), `${zabbix}/index_http.php`)
      assert.equal(JSON.parse(text).user, ACCOUNT)
      const open = await createBrowser().open(`${zabbix}/api_jsonrpc.php`)
      assert.equal(open.status, 200)
    },
  )
}
