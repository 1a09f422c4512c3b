import { updateManagePageConfig } from '#shared/contract/home-page.ts'
import { loginPageConfig, updateLoginPageConfig } from '#shared/contract/login-page.ts'
import {
  changeSchedule,
  chooseTheme,
  createTheme,
  discardTheme,
  publishTheme,
  queryThemes,
  updateTheme,
} from '#shared/contract/themes.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeHomePage } from './home-page.service.ts'
import { changeLoginPage, describeLoginPage } from './login-page.service.ts'
import {
  changeThemeSchedule,
  chooseShownTheme,
  deleteTheme,
  describeThemes,
  duplicateTheme,
  publishDraft,
  saveThemeDraft,
} from './themes.service.ts'

export function mountThemes(api: Api): void {
  api.mount(queryThemes, (ctx) => describeThemes(ctx))
  api.mount(createTheme, (ctx, { body }) => duplicateTheme(ctx, body))
  api.mount(updateTheme, (ctx, { query, body }) => saveThemeDraft(ctx, query.id, body))
  api.mount(publishTheme, (ctx, { query, body }) => publishDraft(ctx, query.id, body))
  api.mount(discardTheme, (ctx, { query, body }) => deleteTheme(ctx, query.id, body.version))
  api.mount(loginPageConfig, (ctx) => describeLoginPage(ctx))
  api.mount(updateLoginPageConfig, (ctx, { body }) => changeLoginPage(ctx, body))
  api.mount(updateManagePageConfig, (ctx, { body }) => changeHomePage(ctx, body))
  api.mount(changeSchedule, (ctx, { body }) => changeThemeSchedule(ctx, body))
  api.mount(chooseTheme, (ctx, { body }) => chooseShownTheme(ctx, body))
}
