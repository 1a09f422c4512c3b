import { ActivationRules } from '#shared/contract/activation.ts'
import {
  listThemes,
  loginPropertyPageConfig,
  managePageConfig,
  queryLoginPageConfig,
  querySchoolGateway,
} from '#shared/contract/appearance.ts'
import { SHIPPED_CODES, SHIPPED_THEMES } from '#shared/rules/shipped-themes.ts'
import type { Api } from '../../platform/http/mount.ts'
import { readSettings } from '../../platform/settings.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { describeHomePage, loadPortalGateway } from './home-page.service.ts'
import { collectLoginOptions } from './login-options.service.ts'
import { loadBrowserSettings, loadGatewaySettings } from './page-surroundings.service.ts'
import { findShownTheme, loadPublishedThemes } from './shown-theme.service.ts'

export function mountAppearance(api: Api): void {
  api.mount(querySchoolGateway, (ctx) => loadPortalGateway(ctx, ctx.client.language))
  api.mount(queryLoginPageConfig, async (ctx, _input, { request }) => {
    const { types, otherMethods, forgotPassword } = await collectLoginOptions(ctx, request, null)
    return {
      loginTypes: [...types, ...otherMethods.map(({ key }) => key)],
      rememberMeLongSecond: (await signInPolicy(ctx)).rememberMeLongSecond,
      warnOffered: true,
      activation: (await readSettings(ctx, 'activation', ActivationRules)).offered,
      forgotPassword,
      themeId: (await findShownTheme(ctx)).code,
    }
  })
  api.mount(loginPropertyPageConfig, (ctx) => loadBrowserSettings(ctx))
  api.mount(managePageConfig, async (ctx) => ({
    ...(await loadGatewaySettings(ctx)),
    homePage: await describeHomePage(ctx),
  }))
  api.mount(listThemes, async (ctx) => [
    ...SHIPPED_CODES.map((id) => {
      const { light, dark } = SHIPPED_THEMES[id]
      return { id, name: ctx.translate(ctx.client.language, `theme.${id}`), light, dark }
    }),
    ...(await loadPublishedThemes(ctx)).map(({ id, name, names, design: { light, dark } }) => {
      return { id, name: names[ctx.client.language] ?? name, light, dark }
    }),
  ])
}
