import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { querySystemAddresses } from '#shared/contract/system-settings.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Environment } from './Environment.tsx'

/**
 * The addresses the server was started with, and how the current request arrived; read-only, because the environment
 * sets them.
 */
export function AddressesPanel() {
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['system-addresses'],
    queryFn: ({ signal }) => call(querySystemAddresses, {}, { signal }),
  })
  if (!data) return error ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={5} />
  const { publicUrl, protocol, ip, trustedProxies } = data
  const isHttps = publicUrl.startsWith('https:')
  const isUnseen = isHttps && protocol === 'http'
  const isRight = !isUnseen && location.origin === publicUrl
  return (
    <div className="settings-form form-card">
      <p className="muted">{t('system-settings.addresses.text')}</p>
      <Environment publicUrl={publicUrl} https={isHttps} />
      {isUnseen && <p className="banner banner-danger">{t('get-started.proxy.text')}</p>}
      <FactList
        rows={[
          [t('system-settings.public-url'), publicUrl],
          [
            t('system-settings.trusted-proxies'),
            trustedProxies.join(', ') || t('system-settings.trusted-proxies.none'),
          ],
          [t('system-settings.arrived-by'), protocol],
          [t('system-settings.arrived-from'), ip],
        ]}
      />
      <AddressTest isRight={isRight} error={error} isRunning={isFetching} onTest={() => void refetch()} />
    </div>
  )
}

type TestProps = { isRight: boolean; error: Error | null; isRunning: boolean; onTest: () => void }

/** Checks again how a request arrives, for example after a proxy change. */
function AddressTest({ isRight, error, isRunning, onTest }: TestProps) {
  const { t } = useTranslation()
  const verdict = t(isRight ? 'system-settings.addresses.right' : 'system-settings.addresses.wrong')
  return (
    <div className="gateway-test">
      <button type="button" className="button" aria-disabled={isRunning} onClick={() => isRunning || onTest()}>
        {t(isRunning ? 'gateway.testing' : 'system-settings.addresses.test')}
      </button>
      <div role="status">
        {!isRunning && (
          <p className={isRight && !error ? 'banner' : 'banner banner-danger'}>{failureText(error) ?? verdict}</p>
        )}
      </div>
    </div>
  )
}
