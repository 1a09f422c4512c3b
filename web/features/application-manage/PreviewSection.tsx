import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { bindApplications } from '#shared/contract/application-grants.ts'
import { type LoginStep, previewRelease } from '#shared/contract/application-preview.ts'
import { listUsers, type UserRow } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useDebouncedText } from '../../ui/use-option-search.ts'
import type { ApplicationDraft } from './use-application-draft.ts'

type Preview = z.infer<typeof previewRelease.output>

/** Simulates the login of a chosen person, step by step, with the attributes the application would receive. */
export function PreviewSection({ draft }: { draft: ApplicationDraft }) {
  const { t } = useTranslation()
  return (
    <LoginRehearsal app={draft.loaded}>
      {draft.dirty.length > 0 && <p className="caution-note">{t('application-preview.unsaved')}</p>}
    </LoginRehearsal>
  )
}

type RehearsedApp = { id: string; appId: string; version: number }

/** A simulated login to one application; if only a grant is missing, it can be given here. */
export function LoginRehearsal({ app, children }: { app: RehearsedApp; children?: ReactNode }) {
  const { t } = useTranslation()
  const { id, version } = app
  const [person, setPerson] = useState<PickerOption[]>([])
  const [typed, setTyped] = useState('')
  const address = useDebouncedText(typed)
  const [chosen] = person
  const query = useQuery({
    queryKey: ['application-preview', id, version, chosen?.id, address],
    queryFn: ({ signal }) =>
      call(previewRelease, { query: { id, userId: chosen?.id ?? '', ...(address && { address }) } }, { signal }),
    enabled: chosen !== undefined,
  })
  return (
    <div className="preview">
      <p className="muted">{t('application-preview.text')}</p>
      {children}
      <div className="preview-form">
        <Picker<UserRow>
          label={t('application-preview.person')}
          endpoint={listUsers}
          toOption={({ id: userId, name, account }) => ({ id: userId, label: name, hint: account })}
          value={person}
          onChange={setPerson}
        />
        <TextField
          label={t('application-preview.address')}
          inputMode="url"
          value={typed}
          hint={t('application-preview.address-hint')}
          isOptional
          onChange={setTyped}
        />
      </div>
      {!chosen && <p className="muted">{t('application-preview.choose')}</p>}
      {query.isError && <FailedBlock error={query.error} onRetry={() => void query.refetch()} />}
      {chosen && query.isPending && <Skeleton lines={6} />}
      {chosen && query.data && (
        <PreviewResult
          name={chosen.label}
          preview={query.data}
          grant={<GrantButton appId={app.appId} person={chosen} />}
        />
      )}
    </div>
  )
}

function PreviewResult({ name, preview, grant }: { name: string; preview: Preview; grant: ReactNode }) {
  const { t } = useTranslation()
  const isRefused = preview.steps.some(({ result }) => result === 'refused')
  const isUngranted = preview.steps.some(({ reason }) => reason === 'application.not-granted')
  return (
    <>
      <p className={isRefused ? 'banner banner-danger' : 'banner'} role="status">
        <strong>{t(`application-preview.verdict.${isRefused ? 'refused' : 'passed'}`, { name })}</strong>
      </p>
      {isUngranted && grant}
      <h2>{t('application-preview.steps')}</h2>
      <ol className="login-steps">
        {preview.steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </ol>
      <h2>{t('application-preview.answers')}</h2>
      {isRefused && preview.answers.length > 0 && <p className="muted">{t('application-preview.not-yet')}</p>}
      {preview.answers.length === 0 && <p className="muted">{t('application-preview.no-answer')}</p>}
      {preview.answers.map((answer) => (
        <Code key={answer.name} title={t(`released.${answer.name}`)} text={answer.text} />
      ))}
    </>
  )
}

type GrantProps = { appId: string; person: PickerOption }

function GrantButton({ appId, person }: GrantProps) {
  const { t } = useTranslation()
  const grant = useMutation({
    mutationFn: () =>
      call(bindApplications, { body: { memberId: person.id, appIds: [appId], validFrom: null, validUntil: null } }),
    onSuccess: async () => {
      notify('well', t('authorise.given', { count: 1 }))
      // Grants are shown in many places, and the login is simulated again.
      await queryClient.invalidateQueries()
    },
  })
  return (
    <>
      <button
        type="button"
        className="button button-primary preview-grant"
        aria-disabled={grant.isPending || undefined}
        onClick={() => !grant.isPending && grant.mutate()}
      >
        {t('application-preview.grant', { name: person.label })}
      </button>
      <FailureLine error={grant.error} />
    </>
  )
}

const TAGS = { passed: 'tag tag-well', refused: 'tag tag-danger', warned: 'tag tag-caution', skipped: 'tag' } as const

function StepLine({ step }: { step: LoginStep }) {
  const { t, i18n } = useTranslation()
  const key = `login-step.reason.${step.reason}`
  // A reason without its own message is still a refusal.
  const reason = step.reason && t((i18n.exists(key) ? key : 'login-step.reason.other') as 'login-step.reason.other')
  return (
    <li>
      <span className={TAGS[step.result]}>{t(`login-step.result.${step.result}`)}</span>
      <span>
        <strong>{t(`login-step.${step.name}`)}</strong>
        <span className="muted"> {[reason, step.detail].filter(Boolean).join(': ')}</span>
        {step.until && (
          <span className="muted">
            {' · '}
            {t(step.reason === 'account.not-yet' ? 'access.from' : 'access.until', {
              until: formatDateTime(new Date(step.until), i18n.language),
            })}
          </span>
        )}
      </span>
    </li>
  )
}

/** A text to copy. */
export function Code({ title, text }: { title: string; text: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <strong>{title}</strong>
        <CopyButton text={text} label={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse. */}
      <section tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
    </figure>
  )
}
