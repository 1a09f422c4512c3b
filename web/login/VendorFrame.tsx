import { useRef } from 'react'
import type { ExternalLogin } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'
import { useVendorFrame } from './use-vendor-frame.ts'

const STATUS = {
  opening: 'login.scan-opening',
  loading: 'login.scan-opening',
  shown: null,
  late: 'login.scan-away',
  failed: 'login.scan-away',
  entering: 'login.opening',
} as const

/** A vendor's own page with its code. None of its scripts run in our page, and it can't navigate the top window. */
export function VendorFrame({ method, name }: { method: ExternalLogin; name: string }) {
  const { t } = useLight()
  const element = useRef<HTMLIFrameElement>(null)
  const { frame, phase, onLoad, retry } = useVendorFrame(method, element)
  const status = STATUS[phase]
  const isAway = phase === 'late' || phase === 'failed'
  return (
    <>
      <div className="scan-box">
        {frame && (
          <iframe
            key={frame.state}
            ref={element}
            src={frame.url}
            title={t('login.scan-frame', { provider: name })}
            width={300}
            height={400}
            scrolling="no"
            sandbox="allow-scripts allow-same-origin allow-forms"
            allow="local-network-access"
            referrerPolicy="origin"
            onLoad={onLoad}
          />
        )}
      </div>
      <p className={isAway ? 'hint wrong' : 'hint'} role="status">
        {status && t(status, { provider: name })}
      </p>
      {/* A browser's own error page looks like any other page from here, so a shown one may be that. */}
      {(isAway || phase === 'shown') && (
        <button type="button" className="link-button" onClick={retry}>
          {t('login.scan-again')}
        </button>
      )}
    </>
  )
}
