import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readTestedLogin, type TestedLogin } from '#shared/contract/tested-logins.ts'
import type { VendorKey } from '#shared/contract/vendors.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'

/** The result of a test login in its window: what the vendor returned, and whom it would link. */
export function TestedLoginResult({ vendor, code }: { vendor: VendorKey; code: string }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['tested-login', code],
    queryFn: ({ signal }) => call(readTestedLogin, { body: { code } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="vendor-fields vendor-tested">
      <h2>{t('vendor.test-login.result')}</h2>
      {query.data ? (
        <Result vendor={vendor} tested={query.data} />
      ) : query.isError ? (
        <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
      <p className="muted">{t('vendor.test-login.close')}</p>
    </section>
  )
}

/** What the person did needs no further explanation; what the vendor or another server did may. */
const isTechnical = ({ reason }: NonNullable<TestedLogin['fault']>): boolean =>
  reason !== 'cancelled' && reason !== 'not-member' && reason !== 'snapshot'

function Result({ vendor, tested }: { vendor: VendorKey; tested: TestedLogin }) {
  const { t } = useTranslation()
  const { fault, identity, outcome, person } = tested
  if (fault) {
    return (
      <p className="banner banner-danger" role="alert">
        {translateOr(`vendor-fault.${vendor}.${fault.code}`, `vendor-fault.${fault.reason}`)}
        {isTechnical(fault) && <code> {fault.detail}</code>}
      </p>
    )
  }
  if (!identity || !outcome) return null
  const { realm, subject, claims, verified } = identity
  const claimRows = Object.entries(claims).map(([name, value]) => {
    const isVerified = verified.some((one) => one === name)
    return [translateOr(`vendor-claim.${name}`, 'vendor-claim.other'), isVerified ? `${value} ✓` : value] as const
  })
  return (
    <>
      <p className="banner">
        <strong>
          {t(`vendor.test-login.${outcome}`, { person: person?.name ?? '', account: person?.account ?? '' })}
        </strong>
      </p>
      <FactList
        rows={[
          [t('vendor-claim.subject'), <code key="subject">{subject}</code>],
          [t('vendor-claim.realm'), <code key="realm">{realm}</code>],
          ...claimRows,
        ]}
      />
      <p className="muted">{t('vendor.test-login.nobody')}</p>
    </>
  )
}
