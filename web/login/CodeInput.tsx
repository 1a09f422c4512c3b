import type { ComponentProps } from 'react'

/** Where a verification code or one of a second factor is typed; the server parses it. */
export const CodeInput = (props: ComponentProps<'input'>) => (
  <input
    id="code"
    name="code"
    type="text"
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    required
    {...props}
  />
)
