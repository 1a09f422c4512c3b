import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VendorCheck, VendorKey } from '#shared/contract/vendors.ts'
import { translateOr } from '../../platform/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { checkVendor, isComplete, type VendorDraft } from './vendor-draft.ts'

type Step = VendorCheck['steps'][number]

/** Checks the values in a vendor's form. */
export function VendorCheckPanel({ vendor, draft }: { vendor: VendorKey; draft: VendorDraft }) {
  const { t } = useTranslation()
  return (
    <CheckPanel
      vendor={vendor}
      name={t(`vendor.${vendor}`)}
      isReady={isComplete(vendor, draft)}
      check={() => checkVendor(vendor, draft)}
    />
  )
}

type Props = {
  /** The vendor whose codes have messages. */
  vendor: string
  name: string
  /** Is everything filled in that a call needs? */
  isReady: boolean
  check: () => Promise<VendorCheck>
}

/** Checks the values in a form, stored or not, and shows the result of each step. */
export function CheckPanel({ vendor, name, isReady, check: tryIt }: Props) {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const check = useMutation({ mutationFn: tryIt })
  const start = () => {
    if (check.isPending) return
    setRefused(!isReady)
    if (isReady) check.mutate()
    // What was found with other values would be shown beside it.
    else check.reset()
  }
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.check')}</h2>
      <p className="muted">{t('vendor.check.text', { vendor: name })}</p>
      <div>
        <button type="button" className="button" aria-disabled={check.isPending} onClick={start}>
          {t(check.isPending ? 'vendor.checking' : 'vendor.check.start')}
        </button>
      </div>
      <div role="status">
        {isRefused && !isReady && <p className="banner banner-danger">{t('vendor.check.incomplete')}</p>}
        {!check.isPending && check.isError && <p className="banner banner-danger">{check.error.message}</p>}
        {!check.isPending && check.data && <Steps vendor={vendor} steps={check.data.steps} />}
      </div>
    </section>
  )
}

const ICONS = { well: 'check', failed: 'warning', skipped: 'more' } as const

function Steps({ vendor, steps }: { vendor: string; steps: readonly Step[] }) {
  const { t } = useTranslation()
  return (
    <ul className="vendor-steps">
      {steps.map(({ step, outcome, reason, code }) => (
        <li key={step} className={`vendor-step vendor-step-${outcome}`}>
          <Icon name={ICONS[outcome]} />
          <div>
            <strong>{t(`vendor-step.${step}`)}</strong> <span className="muted">{t(`vendor-outcome.${outcome}`)}</span>
            {reason && (
              <p>
                {translateOr(`vendor-fault.${vendor}.${code}`, `vendor-fault.${reason}`)}
                {code && <code> {code}</code>}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
