export { mountLoginConfig } from './login-config.routes.ts'
