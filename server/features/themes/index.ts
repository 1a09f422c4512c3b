export { resetAppearance } from './appearance-reset.service.ts'
export { mountThemes } from './themes.routes.ts'
export { themeRestorer } from './themes.service.ts'
