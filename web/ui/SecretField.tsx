import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { typedSecret } from '#shared/rules/typed-secret.ts'
import { useFieldError } from './field-errors.ts'
import { PasswordField } from './PasswordField.tsx'

type Props = {
  name: string
  label: string
  value: string
  hint?: string
  isOptional?: boolean
  /** Why a stored secret has to be entered again. */
  secretNeeded: string | undefined
  onChange: (value: string) => void
}

/** A secret; the page knows at most whether there is one. */
export function SecretField({ name, label, value, hint, isOptional, secretNeeded, onChange }: Props) {
  const refused = useFieldError(name, value)
  return (
    <PasswordField
      label={label}
      value={value}
      autoComplete="new-password"
      hint={hint}
      isOptional={isOptional}
      error={refused ?? (value === SECRET_PLACEHOLDER ? secretNeeded : undefined)}
      // The placeholder represents the stored secret: typing replaces it.
      onChange={(next) => onChange(typedSecret(value, next))}
    />
  )
}
