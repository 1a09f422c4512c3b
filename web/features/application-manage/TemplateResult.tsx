import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplicationTemplate } from '#shared/rules/application-templates/template.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { CreatedSecretDialog } from './CreatedSecretDialog.tsx'
import { LoginRehearsal } from './PreviewSection.tsx'
import { TemplateMark } from './TemplateGallery.tsx'
import { TemplateInstructions } from './TemplateInstructions.tsx'
import './application-preview.css'

type Props = {
  template: ApplicationTemplate
  base: string
  name: string
  appId: string
  id: string
  secret: string | null
}

/** The application was created: what to enter in the product, and a test login. */
export function TemplateResult({ template, base, name, appId, id, secret }: Props) {
  const { t } = useTranslation()
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  return (
    <section className="card guide">
      <div className="guide-done">
        <TemplateMark product={template.product} />
        <PageTitle>{t('application-guide.done', { name })}</PageTitle>
      </div>
      {secret && <CreatedSecretDialog secret={secret} clientId={appId} />}
      <TemplateInstructions template={template} facts={{ base, clientId: appId, secret }} />
      <h2>{t('template.rehearse')}</h2>
      <LoginRehearsal app={{ id, appId, version: 1 }} />
      <div className="form-actions">
        <Link to="/manage/application-manage/detail-set/$id" params={{ id }} className="button">
          {t('application-detail.title')}
        </Link>
        <Link to="/manage/application-manage" className="button button-quiet">
          {t('application-settings.back')}
        </Link>
      </div>
    </section>
  )
}
