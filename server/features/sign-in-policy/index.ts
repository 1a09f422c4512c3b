export { oldestPasswordAt, passwordDueAt } from './password-age.rules.ts'
export { signInPolicy } from './sign-in-policy.service.ts'
