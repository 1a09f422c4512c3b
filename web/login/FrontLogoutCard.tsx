import { useEffect } from 'react'
import type { FrontLogoutPage, NoticePage } from '#shared/contract/light-page.ts'
import { Badge } from './Badge.tsx'
import { FormActions } from './FormActions.tsx'
import { useLight } from './light-page.tsx'
import { pageHeading } from './titles.ts'

const SIGNED_OUT: NoticePage = {
  kind: 'notice',
  name: 'signed-out',
  application: null,
  person: null,
  error: null,
  requestId: '',
  actions: [{ text: { key: 'notice.to-login' }, href: '/auth_web/', primary: true }],
}

/** Notifies every application in its own hidden frame, then continues: when all have answered, or after a timeout. */
export function FrontLogoutCard({ page }: { page: FrontLogoutPage }) {
  const { show, surroundings, t } = useLight()
  useEffect(() => {
    const goOn = () => (page.next ? location.replace(page.next) : show({ ...SIGNED_OUT, error: page.error ?? null }))
    const timer = setTimeout(goOn, page.seconds * 1000)
    // The load event waits for the frames in the HTML.
    if (document.readyState === 'complete') goOn()
    else addEventListener('load', goOn, { once: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('load', goOn)
    }
  }, [page, show])
  const { key } = pageHeading(page, surroundings.language)
  return (
    <div className="notice" aria-live="polite">
      <Badge tone="info" />
      <h1>{t(key)}</h1>
      <p>{t('light.front-logout.text', { seconds: page.seconds })}</p>
      <FormActions actions={[{ text: { key: 'light.post.go' }, href: page.next ?? '/auth_web/', primary: true }]} />
      <div className="unseen" aria-hidden="true">
        {page.urls.map((url) => (
          <iframe key={url} src={url} title={t(key)} tabIndex={-1} sandbox="allow-scripts allow-same-origin" />
        ))}
      </div>
    </div>
  )
}
