export { mountCaptcha } from './captcha.routes.ts'
export { spendCaptcha } from './captcha.service.ts'
