export { signInPolicy } from './sign-in-policy.service.ts'
