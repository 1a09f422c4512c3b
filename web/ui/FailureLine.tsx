import { failureText } from '../platform/failure-text.ts'

/** Why the last request of a form or dialog failed; nothing without an error. */
export const FailureLine = ({ error }: { error: unknown }) =>
  error !== undefined &&
  error !== null && (
    <p className="field-error" role="alert">
      {failureText(error)}
    </p>
  )
