import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { CreatedSecretDialog } from './CreatedSecretDialog.tsx'
import type { GuideDraft } from './guide-draft.ts'

type Props = { draft: GuideDraft; id: string; secret: string | null }

/** The application was created: its secret, shown once, and the next steps. */
export function GuideResult({ draft, id, secret }: Props) {
  const { t } = useTranslation()
  // The button that led here is gone, and a screen reader should announce the result.
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  const steps = ['snippets', 'attributes', 'preview', ...(draft.type === 'system' ? ['access' as const] : [])] as const
  return (
    <section className="card guide">
      <div className="guide-done">
        <AppIcon app={{ appId: draft.appId, name: draft.name, picture: draft.icon?.url ?? null }} />
        <PageTitle>{t('application-guide.done', { name: draft.name })}</PageTitle>
      </div>
      {secret && <CreatedSecretDialog secret={secret} clientId={draft.appId} />}
      <h2>{t('application-guide.next-steps')}</h2>
      <ul className="guide-next">
        {steps.map((tab) => (
          <li key={tab}>
            <Link to="/manage/application-manage/detail-set/$id" params={{ id }} search={{ tab }}>
              {t(`application-guide.next.${tab as 'access'}`)}
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/manage/application-manage" className="button">
        {t('application-settings.back')}
      </Link>
    </section>
  )
}
