import { expect } from '@playwright/test'
import type { Theme } from '../shared/contract/themes.ts'
import { callerAs } from './back-office.ts'
import type { School } from './fixtures.ts'
import { type PageState, visit } from './page-state.ts'

const NAME = 'Theme of every page'

/** The theme being edited, created by whoever comes first. */
async function editedTheme(school: School): Promise<string> {
  const call = await callerAs(school.url, 'root')
  const { themes } = await call<{ themes: Theme[] }>('/login_config/themes/')
  const known = themes.find(({ name }) => name === NAME)
  if (known) return known.id
  const { id } = await call('/login_config/create/', { name: NAME, base: 'lake' })
  return id
}

const editor = (name: string, tab: string): PageState => ({
  name,
  as: 'root',
  async go(page, school) {
    await page.goto(`/auth_web/manage/login-topic?open=${await editedTheme(school)}`)
    await page.locator(`[data-tab=${tab}]`).click()
    await expect(page.frameLocator('.theme-preview iframe').locator('#username')).toBeVisible()
  },
})

/** The look of the pages, and the back office's settings for it. */
export const THEME_PAGE_STATES: PageState[] = [
  visit('themes', 'root', '/auth_web/manage/login-topic', '.theme-card iframe'),
  visit('arrangement of the home page', 'root', '/auth_web/manage/home-page-settings', '.login-page-preview iframe'),
  visit('announcements', 'root', '/auth_web/manage/home-page-settings?tab=announcements', '.list-page .state-block'),
  visit('layout of the login page', 'root', '/auth_web/manage/login-page-setup', '.login-page-preview iframe'),
  {
    name: 'schedule of themes',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/login-topic?tab=schedule')
      await page.locator('.theme-windows > button').click()
      await expect(page.locator('.theme-window')).toBeVisible()
    },
  },
  {
    name: 'banner',
    as: 'root',
    async go(page) {
      await page.goto('/auth_web/manage/login-topic?tab=banner')
      await page.locator('.theme-banner [role=switch]').click()
      await expect(page.locator('.theme-banner textarea').first()).toBeVisible()
    },
  },
  editor('theme, its look', 'look'),
  editor('theme, its contrast', 'contrast'),
]
