import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApplicationCode, type ApplicationFields } from '#shared/contract/application-fields.ts'
import { createApplication } from '#shared/contract/application-manage.ts'
import { APPLICATION_TEMPLATES } from '#shared/rules/application-templates/list.ts'
import { type ApplicationTemplate, fieldsOf, parseBase } from '#shared/rules/application-templates/template.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { queryClient } from '../../platform/queries.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { RefusalLine, SubmitForm } from '../../ui/SubmitForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { AddressList } from './AddressList.tsx'
import { AttributesSection } from './AttributesSection.tsx'
import { WhoMayEnter } from './GuideSteps.tsx'
import { codeFrom } from './guide-draft.ts'
import { TemplateMark } from './TemplateGallery.tsx'
import { TemplateResult } from './TemplateResult.tsx'
import { useAddressCheck } from './use-address-check.ts'

type Draft = {
  base: string
  name: string
  appId: string
  type: 'system' | 'whitelist'
  /** Changes to what the template fills in. */
  edits: Partial<Pick<ApplicationFields, 'serviceUrls' | 'redirectUris' | 'attributes'>>
}

type Created = z.infer<typeof createApplication.output>

const firstDraft = ({ product }: ApplicationTemplate): Draft => ({
  base: '',
  name: product,
  appId: codeFrom(product.replace(/ \(.*$/, '')),
  type: 'system',
  edits: {},
})

/** An application from a template: asks for its address, the rest is filled in and can be changed. */
export function TemplateGuide({ template }: { template: ApplicationTemplate }) {
  const { t } = useTranslation()
  const [begun] = useState(() => firstDraft(template))
  const [draft, setDraft] = useState(begun)
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const { base, filled, problems, overlaps } = useJudgedDraft(template, draft)
  const errors = useMemo(() => fieldErrorsOf(error), [error])
  if (created && base) {
    return <TemplateResult template={template} base={base} name={draft.name} appId={draft.appId} {...created} />
  }
  const change = (edits: Partial<Draft>) => setDraft({ ...draft, ...edits })
  const isReady = filled !== null && !Object.values(problems).some(Boolean)
  const submit = async () => {
    if (!filled) return
    setBusy(true)
    setError(null)
    try {
      setCreated(await create(template, draft, filled))
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal : new Error(String(refusal)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="card guide">
      <div className="guide-done">
        <TemplateMark product={template.product} />
        <PageTitle>{t('template.title', { product: template.product })}</PageTitle>
      </div>
      <FieldErrorsContext value={errors}>
        <SubmitForm
          className="guide-form"
          isReady={isReady}
          isBusy={isBusy}
          error={error}
          onSubmit={() => void submit()}
        >
          {(submitted) => (
            <>
              <ProtocolChoice template={template} />
              <TemplateFields
                template={template}
                draft={draft}
                // Show missing input only after submitting.
                problems={submitted ? problems : { ...problems, base: draft.base === '' ? undefined : problems.base }}
                onChange={change}
              />
              {filled && (
                <Registered
                  filled={filled}
                  overlaps={overlaps}
                  onChange={(edits) => change({ edits: { ...draft.edits, ...edits } })}
                />
              )}
              <div className="form-actions">
                <button type="submit" className="button button-primary" aria-disabled={isBusy || undefined}>
                  {t('application-guide.create')}
                </button>
              </div>
              {/* The check of the typed code may say so by now. */}
              {error && !problems.appId && <RefusalLine>{failureText(error)}</RefusalLine>}
            </>
          )}
        </SubmitForm>
      </FieldErrorsContext>
      <UnsavedGuard when={draft !== begun} />
    </section>
  )
}

type Problems = { base?: string | undefined; name?: string | undefined; appId?: string | undefined }

/** The filled template for a draft, with its errors. */
function useJudgedDraft(template: ApplicationTemplate, draft: Draft) {
  const { t } = useTranslation()
  const parsed = parseBase(template.protocol, draft.base)
  const base = 'base' in parsed ? parsed.base : null
  const filled = filledOf(template, draft, base)
  const addresses = filled?.serviceUrls ?? filled?.redirectUris ?? []
  const check = useAddressCheck({ appId: draft.appId, addresses })
  const codeProblem = check?.appIdTaken ? 'code-taken' : 'code-wrong'
  const isCodeGood = ApplicationCode.safeParse(draft.appId).success && !check?.appIdTaken
  const problems: Problems = {
    base:
      'problem' in parsed ? t(draft.base === '' ? 'form.required' : `address-problem.${parsed.problem}`) : undefined,
    name: draft.name.trim() === '' ? t('application-guide.name-missing') : undefined,
    appId: isCodeGood ? undefined : t(`application-guide.${codeProblem}`),
  }
  return { base, filled, problems, overlaps: check?.overlaps ?? [] }
}

type FieldsProps = {
  template: ApplicationTemplate
  draft: Draft
  problems: Problems
  onChange: (edits: Partial<Draft>) => void
}

function TemplateFields({ template, draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('template.base', { product: template.product })}
        name="base"
        inputMode="url"
        isFirst
        value={draft.base}
        maxLength={1000}
        placeholder={template.example}
        hint={t('template.base-hint', { setting: template.baseSetting })}
        error={problems.base}
        onChange={(base) => onChange({ base, edits: {} })}
      />
      <TextField
        label={t('application-manage.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        error={problems.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('application-manage.code')}
        name="appId"
        value={draft.appId}
        maxLength={64}
        hint={t('application-guide.code-hint')}
        error={problems.appId}
        onChange={(appId) => onChange({ appId })}
      />
      <WhoMayEnter value={draft.type} onChange={(type) => onChange({ type })} />
    </>
  )
}

/** The product's protocols; choosing another switches the template. */
function ProtocolChoice({ template }: { template: ApplicationTemplate }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const ways = APPLICATION_TEMPLATES.filter(({ product }) => product === template.product)
  if (ways.length === 1) return null
  return (
    <RadioCards
      legend={t('application-guide.which-protocol')}
      value={template.key}
      options={ways.map(({ key, protocol }) => ({
        value: key,
        label: t(`application-protocol.${protocol}`),
        text: t(`application-template.${key}`),
      }))}
      onChange={(key) => void navigate({ to: '.', search: { template: key } as never, replace: true })}
    />
  )
}

type RegisteredProps = {
  filled: Filled
  overlaps: Parameters<typeof AddressList>[0]['overlaps']
  onChange: (edits: Draft['edits']) => void
}

/** The values that the template fills in, editable. */
function Registered({ filled, overlaps = [], onChange }: RegisteredProps) {
  const { t } = useTranslation()
  const { serviceUrls, redirectUris, attributes = [] } = filled
  return (
    <details className="template-registered">
      <summary>{t('template.registered')}</summary>
      {serviceUrls && (
        <AddressList
          label={t('application-field.serviceUrls')}
          name="serviceUrls"
          kind="service"
          value={serviceUrls}
          overlaps={overlaps}
          onChange={(next) => onChange({ serviceUrls: next })}
        />
      )}
      {redirectUris && (
        <AddressList
          label={t('application-field.redirectUris')}
          name="redirectUris"
          kind="redirect"
          value={redirectUris}
          overlaps={overlaps}
          onChange={(next) => onChange({ redirectUris: next })}
        />
      )}
      <AttributesSection draft={{ value: { attributes }, change: onChange }} />
    </details>
  )
}

function filledOf(template: ApplicationTemplate, { appId, edits }: Draft, base: string | null) {
  if (base === null) return null
  return { url: `${base}/`, ...fieldsOf(template, { base, publicUrl: location.origin, clientId: appId }), ...edits }
}

type Filled = NonNullable<ReturnType<typeof filledOf>>

async function create(template: ApplicationTemplate, { appId, name, type }: Draft, filled: Filled): Promise<Created> {
  const { key, protocol } = template
  const body = { appId, name: name.trim(), type, protocol, template: key, ...filled }
  const created = await call(createApplication, { body })
  await queryClient.invalidateQueries({ queryKey: ['applications'] })
  return created
}
