export type SelectOption = {
  value: string
  label: string
  disabled?: boolean
  /** The language of the label, if it differs. */
  lang?: string
}

type Options = readonly SelectOption[]

const placeOf = (options: Options, value: string): number => options.findIndex((option) => option.value === value)

/** The next selectable option after or before the chosen one; the first if none is chosen. */
export function nextOption(options: Options, value: string, step: 1 | -1): SelectOption | undefined {
  const at = placeOf(options, value)
  if (at < 0) return options.find(({ disabled }) => !disabled)
  const rest = step > 0 ? options.slice(at + 1) : options.slice(0, at).reverse()
  return rest.find(({ disabled }) => !disabled)
}

/**
 * The option that begins with the typed text, ignoring case and accents; searched from the chosen one, then from the
 * top.
 */
export function optionTyped(options: Options, value: string, typed: string): SelectOption | undefined {
  const at = Math.max(0, placeOf(options, value))
  const begins = ({ label, disabled }: SelectOption) =>
    !disabled && label.slice(0, typed.length).localeCompare(typed, undefined, { sensitivity: 'base' }) === 0
  return options.slice(at).find(begins) ?? options.find(begins)
}
