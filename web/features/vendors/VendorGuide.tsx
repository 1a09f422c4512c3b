import { useTranslation } from 'react-i18next'
import type { VendorKey } from '#shared/contract/vendors.ts'
import { notify } from '../../platform/notices.ts'
import { Breakable } from '../../ui/Breakable.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FactList } from '../../ui/FactList.tsx'

/** What to enter in the vendor's console, and where. */
export function VendorGuide({ vendor, callbackUrl }: { vendor: VendorKey; callbackUrl: string }) {
  const { t } = useTranslation()
  const copyable = (text: string, label: string) => (
    <span className="vendor-copy">
      <code>
        <Breakable text={text} />
      </code>
      <CopyButton text={text} label={label} onCopied={() => notify('well', t('vendor.copied'))} />
    </span>
  )
  const rows = [
    ['vendor.trusted-domain', new URL(callbackUrl).host],
    ['vendor.callback', callbackUrl],
  ] as const
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.guide')}</h2>
      <p>{t(`vendor.guide.${vendor}`)}</p>
      <FactList rows={rows.map(([key, text]) => [t(key), copyable(text, t(key))])} />
    </section>
  )
}
