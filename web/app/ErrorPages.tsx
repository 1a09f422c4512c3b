import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '../platform/i18n.ts'
import { ChunkLoadError } from '../platform/load-chunk.ts'
import { logOut } from '../platform/log-out.ts'
import { loginUrl } from '../platform/login-url.ts'
import { useUser } from '../platform/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { BareLayout } from './BareLayout.tsx'

type MessageProps = { title: MessageKey; text: MessageKey; children?: ReactNode }

function MessageCard({ title, text, children }: MessageProps) {
  const { t } = useTranslation()
  return (
    <div className="card message-card">
      <PageTitle>{t(title)}</PageTitle>
      <p className="muted">{t(text)}</p>
      <div className="message-actions">{children}</div>
    </div>
  )
}

const MessagePage = (message: MessageProps) => (
  <BareLayout>
    <MessageCard {...message} />
  </BareLayout>
)

const HomeLink = () => {
  const { t } = useTranslation()
  return (
    <Link to="/my-apps" className="button button-primary">
      {t('action.home')}
    </Link>
  )
}

/** /401: the logged-in person may not see the page; anybody logged out is sent to the login. */
export function NoPermissionPage() {
  const { t } = useTranslation()
  const user = useUser()
  if (!user) {
    return (
      <MessagePage title="no-permission.title" text="no-permission.logged-out">
        <a className="button button-primary" href={loginUrl(`${location.origin}/auth_web/`)}>
          {t('action.log-in')}
        </a>
      </MessagePage>
    )
  }
  return (
    <MessagePage title="no-permission.title" text="no-permission.text">
      <HomeLink />
      <button type="button" className="button" onClick={() => void logOut()}>
        {t('no-permission.other-account')}
      </button>
    </MessagePage>
  )
}

/** /404, and any address without a route. */
export const NotFoundPage = () => (
  <MessagePage title="not-found.title" text="not-found.text">
    <HomeLink />
  </MessagePage>
)

export function ManageNotFoundPage() {
  const { t } = useTranslation()
  return (
    <MessageCard title="not-found.title" text="not-found.text">
      <Link to="/manage" className="button button-primary">
        {t('not-found.back-office')}
      </Link>
    </MessageCard>
  )
}

/** Never a white page: names the problem and offers a way to continue. */
export function UnexpectedErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isChunk = error instanceof ChunkLoadError
  return (
    <MessagePage
      title={isChunk ? 'prompt.broken.title' : 'broken.title'}
      text={isChunk ? 'prompt.broken.text' : 'broken.text'}
    >
      <button type="button" className="button button-primary" onClick={() => location.reload()}>
        {t('action.reload')}
      </button>
    </MessagePage>
  )
}
