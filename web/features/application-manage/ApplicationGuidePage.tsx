import { useSearch } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApplicationCode } from '#shared/contract/application-fields.ts'
import { createApplication } from '#shared/contract/application-manage.ts'
import { addressProblem } from '#shared/rules/application-address.ts'
import { templateOf } from '#shared/rules/application-templates/list.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { queryClient } from '../../platform/queries.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { StepList } from '../../ui/StepList.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { useFormSubmission } from '../../ui/use-form-submission.ts'
import { GuideResult } from './GuideResult.tsx'
import { AddressesStep, IconStep, ProtocolStep, TypeStep } from './GuideSteps.tsx'
import { GUIDE_STEPS, type GuideDraft, type GuideProblems, type GuideStep, NEW_DRAFT } from './guide-draft.ts'
import { TemplateGallery } from './TemplateGallery.tsx'
import { TemplateGuide } from './TemplateGuide.tsx'
import '../../ui/form-card.css'
import './application-fields.css'
import './application-guide.css'

const STEPS = { type: TypeStep, protocol: ProtocolStep, addresses: AddressesStep, icon: IconStep }

type Created = { id: string; secret: string | null }

/** A new application: from the gallery, or manually if the product is not listed. */
export function ApplicationGuidePage() {
  const { template: key } = useSearch({ strict: false }) as { template?: string }
  if (key === 'other') return <HandmadeGuide />
  const template = templateOf(key ?? null)
  return template ? <TemplateGuide key={template.key} template={template} /> : <TemplateGallery />
}

/** The short wizard for any application: kind, protocol, addresses, icon. */
function HandmadeGuide() {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<GuideDraft>(NEW_DRAFT)
  const [at, setAt] = useState(0)
  const [problems, setProblems] = useState<GuideProblems>({})
  const [busy, setBusy] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const { ref: form, refuse } = useFormSubmission()
  useFirstField(form, at)
  if (created) return <GuideResult draft={draft} {...created} />
  const step = GUIDE_STEPS[at] ?? 'type'
  const isLast = at === GUIDE_STEPS.length - 1
  const Fields = STEPS[step]
  const formError = problems.form ?? (Object.keys(problems).length > 0 && t('form.check-fields'))
  const change = (edits: Partial<GuideDraft>) => {
    setDraft({ ...draft, ...edits })
    // Errors of changed fields no longer apply.
    setProblems(Object.fromEntries(Object.entries(problems).filter(([name]) => !(name in edits))))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = findProblems(step, draft, t)
    setProblems(found)
    if (Object.keys(found).length > 0) return refuse()
    if (busy) return
    if (!isLast) return setAt(at + 1)
    setBusy(true)
    try {
      setCreated(await create(draft))
    } catch (error) {
      setProblems({ form: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="card guide">
      <PageTitle>{t('application-guide.title')}</PageTitle>
      <StepList
        label={t('application-guide.steps')}
        steps={GUIDE_STEPS.map((name, index) => ({
          name,
          label: t(`application-guide.step.${name}`),
          state: index < at ? 'done' : index === at ? 'current' : 'open',
        }))}
      />
      <form ref={form} className="guide-form" noValidate onSubmit={(event) => void submit(event)}>
        <Fields draft={draft} problems={problems} onChange={change} />
        <div className="form-actions">
          {at > 0 && (
            <button type="button" className="button" onClick={() => setAt(at - 1)}>
              {t('application-guide.back')}
            </button>
          )}
          <button type="submit" className="button button-primary" aria-disabled={busy || undefined}>
            {t(isLast ? 'application-guide.create' : 'application-guide.next')}
          </button>
        </div>
        {/* Below the button: above, it would push the button away from under a double click. */}
        {formError && (
          <p className="field-error" role="alert">
            {formError}
          </p>
        )}
      </form>
      <UnsavedGuard when={draft !== NEW_DRAFT} />
    </section>
  )
}

/** Focuses the first field of each step. */
function useFirstField(form: RefObject<HTMLFormElement | null>, at: number): void {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    form.current?.querySelector<HTMLElement>('input:checked, input, button')?.focus()
  }, [form, at])
}

function findProblems(step: GuideStep, draft: GuideDraft, t: TFunction): GuideProblems {
  if (step === 'type') {
    return {
      ...(!draft.name.trim() && { name: t('application-guide.name-missing') }),
      ...(!ApplicationCode.safeParse(draft.appId).success && {
        appId: t(draft.appId === '' ? 'form.required' : 'application-guide.code-wrong'),
      }),
      ...(draft.isCodeTaken && { appId: t('application-guide.code-taken') }),
    }
  }
  if (step !== 'addresses') return {}
  const addresses = draft.addresses.map((one) => one.trim()).filter(Boolean)
  const kind = draft.protocol === 'cas' ? 'service' : 'redirect'
  if (addresses.length === 0) return { addresses: t('application-guide.address-needed') }
  const problem = addresses.map((one) => addressProblem(kind, one)).find((one) => one !== null)
  return problem ? { addresses: t(`address-problem.${problem}`) } : {}
}

async function create(draft: GuideDraft): Promise<Created> {
  const { protocol, icon, isPublic, categoryId } = draft
  const addresses = draft.addresses.map((one) => one.trim()).filter(Boolean)
  const first = addresses[0]?.replace(/\*\*$/, '')
  const body = {
    appId: draft.appId,
    name: draft.name.trim(),
    protocol,
    type: draft.type,
    categoryId: categoryId || null,
    url: draft.url.trim() || (protocol === 'cas' ? first : undefined) || null,
    ...(protocol === 'cas'
      ? { serviceUrls: addresses }
      : { redirectUris: addresses, isPublic, scopes: ['openid', 'profile', 'email'] }),
    ...(icon && { pictureId: icon.id }),
  }
  const created = await call(createApplication, { body })
  await queryClient.invalidateQueries({ queryKey: ['applications'] })
  return created
}
