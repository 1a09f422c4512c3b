export { mountCaptcha } from './captcha.routes.ts'
export { verifyCaptcha } from './captcha.service.ts'
