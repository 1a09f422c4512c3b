import { failureText } from './failure-text.ts'
import { notify } from './notices.ts'

/** Says why a request failed, where no form or dialog shows it. */
export const notifyFailure = (error: unknown): void => void notify('danger', failureText(error))
