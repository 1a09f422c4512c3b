import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { checkAddress, releaseAddress } from '#shared/contract/login-check.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { RULES_KEY } from './rule-queries.ts'

/** Counters of an address that apply besides the rules, failures and code requests, and a button that resets them. */
export function AddressCheck({ ip }: { ip: string }) {
  const { t } = useTranslation()
  const number = useCount()
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const queryKey = [RULES_KEY, 'address', ip]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(checkAddress, { query: { ip } }, { signal }),
  })
  const release = useMutation({
    mutationFn: () => call(releaseAddress, { body: { ip } }),
    onSuccess: () => {
      // The button disappears.
      if (document.activeElement === button.current) title.current?.focus()
      return client.invalidateQueries({ queryKey })
    },
  })
  if (error) return <FailedBlock error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const { failures, captchaFrom, codes, mostCodes, codesUntil } = data
  const counts = {
    failures: number(failures),
    captchaFrom: number(captchaFrom),
    codes: number(codes),
    mostCodes: number(mostCodes),
  }
  return (
    <section className="address-check" aria-labelledby="address-check">
      <h3 id="address-check" ref={title} tabIndex={-1}>
        {t('address-check.title', { ip })}
      </h3>
      <ul>
        <li>
          {t('address-check.failures', counts)}
          {failures >= captchaFrom && <strong> {t('address-check.captcha')}</strong>}
        </li>
        <li>
          {t('address-check.codes', counts)}
          {codes >= mostCodes && codesUntil && (
            <strong>
              {' '}
              {t('address-check.no-codes')} <Time value={codesUntil} />
            </strong>
          )}
        </li>
      </ul>
      {(failures > 0 || codes > 0) && (
        <button
          ref={button}
          type="button"
          className="button"
          aria-disabled={release.isPending || undefined}
          onClick={() => !release.isPending && release.mutate()}
        >
          {t('address-check.release')}
        </button>
      )}
      <p role="status" className="muted">
        {release.isSuccess && failures === 0 && codes === 0 && t('address-check.released')}
      </p>
      {release.isError && <FailedBlock error={release.error} onRetry={() => release.mutate()} />}
    </section>
  )
}
