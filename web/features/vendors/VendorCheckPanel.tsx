import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VendorCheck, VendorKey } from '#shared/contract/vendors.ts'
import { failureText } from '../../platform/failure-text.ts'
import { translateOr } from '../../platform/i18n.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Icon } from '../../ui/Icon.tsx'
import { checkVendor, missingError, missingSettings, type VendorDraft } from './vendor-draft.ts'

type Step = VendorCheck['steps'][number]

/** Checks the values in a vendor's form. */
export function VendorCheckPanel({ vendor, draft, onError }: VendorProps) {
  const { t } = useTranslation()
  const missing = missingSettings(vendor, draft)
  return (
    <CheckPanel
      vendor={vendor}
      isReady={missing.length === 0}
      check={() => checkVendor(vendor, draft)}
      onRefused={() => onError(missingError(missing, t('form.required')))}
      onError={onError}
    />
  )
}

export type VendorProps = {
  vendor: VendorKey
  draft: VendorDraft
  /** Marks the fields that an error names; `undefined` clears them. */
  onError: (error: unknown) => void
}

type Props = {
  /** The vendor whose codes have messages. */
  vendor: string
  /** Is everything filled in that a call needs? */
  isReady: boolean
  check: () => Promise<VendorCheck>
  /** When something is missing. */
  onRefused?: () => void
  /** An error of a check; `undefined`: one has started. */
  onError?: (error: unknown) => void
}

/** Checks the values in a form, stored or not, and shows the result of each step. */
export function CheckPanel({ vendor, isReady, check: tryIt, onRefused, onError }: Props) {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const check = useMutation({ mutationFn: tryIt, onError: (error) => onError?.(error) })
  const start = () => {
    if (check.isPending) return
    setRefused(!isReady)
    if (isReady) {
      onError?.(undefined)
      return check.mutate()
    }
    // What was found with other values would be shown beside it.
    check.reset()
    onRefused?.()
  }
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.check')}</h2>
      <p className="muted">{t('vendor.check.text')}</p>
      <div>
        <button type="button" className="button" aria-disabled={check.isPending} onClick={start}>
          {t(check.isPending ? 'vendor.checking' : 'vendor.check.start')}
        </button>
      </div>
      <div role="status">
        {isRefused && !isReady && <p className="banner banner-danger">{t('vendor.check.incomplete')}</p>}
        {!check.isPending && check.isError && <Fault error={check.error} />}
        {!check.isPending && check.data && <Steps vendor={vendor} steps={check.data.steps} />}
      </div>
    </section>
  )
}

/** Invalid input is described at its field: the refusal names it as programs do. */
export function Fault({ error }: { error: Error }) {
  const { t } = useTranslation()
  return (
    <p className="banner banner-danger">
      {isRefusal(error, 'request.invalid') ? t('form.check-fields') : failureText(error)}
    </p>
  )
}

const ICONS = { well: 'check', failed: 'warning', unclear: 'warning', skipped: 'more' } as const

/** What could not be found out is worth a look; nobody has to set up events. */
const lookOf = ({ outcome, reason, code }: Step) => (reason === 'unclear' && code !== 'no-events' ? reason : outcome)

/** `no-range` and the like: what we found, not a code of the vendor. */
const isOurs = (code: string): boolean => code.startsWith('no-')

function Steps({ vendor, steps }: { vendor: string; steps: readonly Step[] }) {
  const { t } = useTranslation()
  const shown = steps.map((one) => ({ ...one, look: lookOf(one) }))
  return (
    <ul className="vendor-steps">
      {shown.map(({ step, look, outcome, reason, code }) => (
        <li key={step} className={`vendor-step vendor-step-${look}`}>
          <Icon name={ICONS[look]} />
          <div>
            <strong>{t(`vendor-step.${step}`)}</strong> <span className="muted">{t(`vendor-outcome.${outcome}`)}</span>
            {reason && (
              <p>
                {translateOr(`vendor-fault.${vendor}.${code}`, `vendor-fault.${reason}`)}
                {code && !isOurs(code) && <code> {code}</code>}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
