export { acceptSignIn, type Entrant, type SignedIn } from './sign-in.accept.ts'
export { recordFailure } from './sign-in.refuse.ts'
export { signIn } from './sign-in.service.ts'
