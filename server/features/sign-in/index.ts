export { signIn } from './sign-in.service.ts'
