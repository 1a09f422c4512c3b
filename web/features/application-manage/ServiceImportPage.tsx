import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { checkServiceFiles, type ImportedService, importServiceFiles } from '#shared/contract/service-import.ts'
import { call } from '../../platform/api.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { invalidateApplications } from './StateDialog.tsx'
import { readServiceFiles, type ServiceFile } from './service-files.ts'
import '../../ui/form-card.css'
import './application-guide.css'

type Report = z.infer<typeof checkServiceFiles.output>

/** Imports service files of Apereo CAS: chosen, checked, then imported. */
export function ServiceImportPage() {
  const { t } = useTranslation()
  const [files, setFiles] = useState<ServiceFile[]>([])
  const [done, setDone] = useState<Report | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const check = useMutation({
    mutationFn: (chosen: ServiceFile[]) => call(checkServiceFiles, { body: { files: chosen } }),
  })
  const run = useMutation({
    mutationFn: () => call(importServiceFiles, { body: { files } }),
    onSuccess: async (report) => {
      setDone(report)
      await invalidateApplications()
    },
  })
  const choose = async (list: File[]) => {
    const chosen = await readServiceFiles(list)
    setUnreadable(chosen === null)
    if (!chosen || chosen.length === 0) return
    setDone(null)
    run.reset()
    setFiles(chosen)
    check.mutate(chosen)
  }
  const report = done ?? check.data
  const error = run.error ?? check.error
  return (
    <section className="card guide service-import">
      <PageTitle>{t('service-import.title')}</PageTitle>
      <p className="muted">{t('service-import.text')}</p>
      <FileDrop
        label={t('service-import.files')}
        text={t('service-import.drop')}
        choose={t('service-import.choose')}
        hint={t('service-import.kinds')}
        accept=".json,.zip,application/json,application/zip"
        multiple
        isBusy={check.isPending || run.isPending}
        onFiles={(list) => void choose(list)}
      />
      {isUnreadable && (
        <p className="field-error" role="alert">
          {t('service-import.unreadable')}
        </p>
      )}
      <FailureLine error={error} />
      {report && (
        <>
          <p className="banner" role="status">
            {done
              ? t('service-import.done', { count: done.fresh })
              : t('service-import.summary', { fresh: report.fresh, refused: report.refused })}
          </p>
          <ReportTable services={report.services} />
        </>
      )}
      <div className="form-actions">
        {report && !done && report.fresh > 0 && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={run.isPending || undefined}
            onClick={() => !run.isPending && run.mutate()}
          >
            {t('service-import.run', { count: report.fresh })}
          </button>
        )}
        <Link to="/manage/application-manage" className="button">
          {t('application-settings.back')}
        </Link>
      </div>
    </section>
  )
}

function ReportTable({ services }: { services: readonly ImportedService[] }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <section className="report-scroll" tabIndex={0} aria-label={t('service-import.title')}>
      <table className="report">
        <thead>
          <tr>
            <th scope="col">{t('service-import.column.service')}</th>
            <th scope="col">{t('service-import.column.result')}</th>
            <th scope="col">{t('service-import.column.becomes')}</th>
            <th scope="col">{t('service-import.column.notes')}</th>
          </tr>
        </thead>
        <tbody>
          {services.map((service, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may hold a service twice.
            <ReportRow key={at} service={service} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ReportRow({ service }: { service: ImportedService }) {
  const { t } = useTranslation()
  const { name, file, result, reason, detail, appId, addresses, attributes, notes, ignored } = service
  return (
    <tr>
      <th scope="row">
        {name || '—'}
        <span className="muted">{file}</span>
      </th>
      <td>
        <span className={result === 'new' ? 'tag tag-well' : 'tag tag-caution'}>
          {t(`service-import.result.${result}`)}
        </span>
        {reason && (
          <span className="muted">
            {[t(`service-import.reason.${reason}` as 'service-import.reason.pattern'), detail]
              .filter(Boolean)
              .join(': ')}
          </span>
        )}
      </td>
      <td>
        {appId && <code>{appId}</code>}
        {addresses.map((address) => (
          <code key={address}>{address}</code>
        ))}
        {attributes.length > 0 && <span className="muted">{attributes.join(', ')}</span>}
      </td>
      <td>
        <ul>
          {notes.map((note) => (
            <li key={`${note.name} ${note.detail}`}>
              {t(`service-import.note.${note.name}` as 'service-import.note.narrowed', { detail: note.detail })}
            </li>
          ))}
          {ignored.length > 0 && <li className="muted">{t('service-import.ignored', { keys: ignored.join(', ') })}</li>}
        </ul>
      </td>
    </tr>
  )
}
