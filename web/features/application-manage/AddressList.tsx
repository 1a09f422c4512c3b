import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type AddressKind, addressProblem } from '#shared/rules/application-address.ts'
import { useFieldError } from '../../ui/field-errors.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { Overlap } from './use-address-check.ts'

type Props = {
  label: string
  /** The field's name in the contract. */
  name: string
  kind: AddressKind
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Other applications with overlapping addresses. */
  overlaps?: readonly Overlap[]
  error?: string | undefined
}

const MAX_ADDRESSES = 100

/** A list of addresses, each checked while typing. */
export function AddressList(props: Props) {
  const { label, name, kind, value, onChange, error } = props
  const { t } = useTranslation()
  const id = useId()
  const fieldError = useFieldError(name, value)
  // An error of a single address is shown below it.
  const isSaid = value.some((one) => one.trim() !== '' && addressProblem(kind, one.trim()))
  const shown = (isSaid ? undefined : error) ?? (value.length === 0 ? fieldError : undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own box and can't be laid out.
    <div className="address-list" role="group" aria-labelledby={`${id}-label`}>
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      {value.length === 0 && <span className="muted">{t('address-list.empty')}</span>}
      {value.map((address, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place.
        <AddressRow key={at} {...props} at={at} address={address} />
      ))}
      {shown && (
        <span className="field-error" role="alert">
          {shown}
        </span>
      )}
      <button
        type="button"
        className="button button-quiet address-add"
        disabled={value.length >= MAX_ADDRESSES}
        onClick={() => onChange([...value, ''])}
      >
        {t('address-list.add')}
      </button>
    </div>
  )
}

function AddressRow({ at, address, ...props }: Props & { at: number; address: string }) {
  const { label, name, kind, value, onChange, overlaps = [] } = props
  const { t } = useTranslation()
  const id = useId()
  const problem = address.trim() === '' ? null : addressProblem(kind, address.trim())
  const fieldError = useFieldError(`${name}.${at}`, address)
  const refused = problem ? t(`address-problem.${problem}`) : fieldError
  const isPlain = !refused && /^http:/i.test(address) && kind === 'service'
  const met = overlaps.filter((overlap) => overlap.address === address.trim())
  const change = (next: string) => onChange(value.map((one, index) => (index === at ? next : one)))
  return (
    <div className="address-row">
      <input
        className="input"
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('address-list.number', { label, number: at + 1 })}
        aria-invalid={refused ? true : undefined}
        aria-describedby={refused || isPlain || met.length > 0 ? id : undefined}
        placeholder={kind === 'service' ? 'https://app.example.edu/**' : 'https://app.example.edu/callback'}
        value={address}
        onChange={(event) => change(event.target.value)}
        onBlur={() => change(address.trim())}
      />
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('address-list.remove', { address: address || String(at + 1) })}
        onClick={() => onChange(value.filter((_, index) => index !== at))}
      >
        <Icon name="close" />
      </button>
      <div className="address-notes" id={id}>
        {refused && <span className="field-error">{refused}</span>}
        {isPlain && <span className="caution-note">{t('address-list.plain')}</span>}
        {met.map((overlap) => (
          <span key={overlap.id} className="caution-note">
            {t('address-list.overlap', { name: overlap.name, other: overlap.other })}
          </span>
        ))}
      </div>
    </div>
  )
}
