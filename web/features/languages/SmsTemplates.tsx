import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  type MessageTemplate,
  type MessageTemplateList,
  SMS_APPROVALS,
  type SmsTemplate,
  saveSmsTemplate,
} from '#shared/contract/message-templates.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { templateKind } from '#shared/rules/message-templates.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { useFixedButton, useFixedReason } from '../../ui/fixed-field.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { messageTemplatesQuery } from './message-template-queries.ts'
import { managedLanguagesQuery } from './text-queries.ts'

type Props = { list: MessageTemplateList; template: MessageTemplate; history: ReactNode }

/** The provider template of a message in each language; nothing where the text itself is sent. */
export function SmsTemplates({ list, template, history }: Props) {
  const { t } = useTranslation()
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  const { provider, general, setByFile } = list.sms
  if (provider === null || provider === 'gateway' || template.providerValues.length === 0) return null
  const id = general[templateKind(template.name)]
  return (
    <section className="message-part" aria-label={t('message-template.provider')}>
      <h3>{t('message-template.provider')}</h3>
      <p className="muted">
        {t('message-template.provider.explain', { provider: t(`gateway.provider.${provider}`) })}{' '}
        {id !== null && t('message-template.provider.general', { id })}
      </p>
      <FixedByFile when={setByFile.includes(template.name)}>
        <div className="sms-templates">
          {languages.map(({ code, name }) => (
            <TemplateForm key={code} list={list} template={template} provider={provider} language={code} title={name} />
          ))}
        </div>
      </FixedByFile>
      <details>
        <summary>{t('message-template.provider.history')}</summary>
        {history}
      </details>
    </section>
  )
}

type Provider = SmsTemplate['provider']
type FormProps = Omit<Props, 'history'> & { provider: Provider; language: Language; title: string }

function TemplateForm({ list, template, provider, language, title }: FormProps) {
  const { t } = useTranslation()
  const form = useTemplateForm({ list, template, provider, language })
  const { value, stored, change } = form
  const isFixed = useFixedReason() !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.save(value)
  }
  return (
    <FieldErrorsContext value={form.errors}>
      <form className="sms-template" noValidate aria-label={title} onSubmit={submit}>
        <h4 lang={languageTag(language)}>{title}</h4>
        {stored && stored.provider !== provider && (
          <p className="muted">
            {t('message-template.provider.other', { provider: t(`gateway.provider.${stored.provider}`) })}
          </p>
        )}
        <TextField
          name="template.id"
          label={t('message-template.provider.id')}
          maxLength={50}
          isOptional
          value={value.id}
          onChange={(id) => change({ ...value, id })}
        />
        {(value.id !== '' || stored) && (
          <>
            <Values
              names={template.providerValues}
              chosen={value.values}
              error={form.errors['template.values']}
              onChange={(values) => change({ ...value, values })}
            />
            <SelectField
              label={t('message-template.provider.approval')}
              value={value.approval}
              options={SMS_APPROVALS.map((one) => ({
                value: one,
                label: t(`message-template.provider.approval.${one}`),
              }))}
              onChange={(approval) => approval && change({ ...value, approval })}
            />
          </>
        )}
        {form.problem && (
          <p className="field-error" role="alert">
            {form.problem}
          </p>
        )}
        {!isFixed && (form.isDirty || stored) && (
          <div className="text-editor-verbs">
            <button type="submit" className="button button-primary" aria-disabled={form.busy || undefined}>
              {t('action.save')}
            </button>
            {stored && (
              <button type="button" className="button button-quiet" onClick={() => void form.save(null)}>
                {t('message-template.provider.remove')}
              </button>
            )}
          </div>
        )}
        <UnsavedGuard when={form.isDirty} what={form.busy ? 'saving' : 'unsaved'} />
      </form>
    </FieldErrorsContext>
  )
}

type ValuesProps = {
  names: readonly string[]
  chosen: readonly string[]
  error: string | undefined
  onChange: (values: string[]) => void
}

/** The values of a template, numbered in order; a click appends or removes one. */
function Values({ names, chosen, error, onChange }: ValuesProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="sms-values">
      <legend>{t('message-template.provider.values')}</legend>
      <div className="text-placeholders">
        {names.map((name) => (
          <Value key={name} name={name} chosen={chosen} onChange={onChange} />
        ))}
      </div>
      <p className="muted">{t('message-template.provider.values.hint')}</p>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Value({ name, chosen, onChange }: Pick<ValuesProps, 'chosen' | 'onChange'> & { name: string }) {
  const at = chosen.indexOf(name)
  const toggle = useFixedButton(() => onChange(at >= 0 ? chosen.filter((one) => one !== name) : [...chosen, name]))
  return (
    <button type="button" className="text-placeholder" aria-pressed={at >= 0} {...toggle}>
      {at >= 0 ? `${at + 1} ${name}` : name}
    </button>
  )
}

function useTemplateForm({ list, template, provider, language }: Omit<FormProps, 'title'>) {
  const { t } = useTranslation()
  const { name } = template
  const all: Readonly<Record<string, Record<Language, SmsTemplate>>> = list.sms.templates
  const stored = all[name]?.[language]
  const empty: SmsTemplate = {
    provider,
    id: '',
    values: templateKind(name) === 'code' ? ['code'] : [],
    approval: 'unknown',
  }
  const loaded = stored ?? empty
  const [draft, setDraft] = useState<SmsTemplate | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const errors = useMemo(() => fieldErrorsOf(error), [error])
  const value = draft ?? loaded
  const keep = (sms: MessageTemplateList['sms']) =>
    queryClient.setQueryData(messageTemplatesQuery().queryKey, (before) => before && { ...before, sms })
  const save = async (wanted: SmsTemplate | null) => {
    if (busy) return
    setBusy(true)
    setError(null)
    const isGone = wanted === null || wanted.id.trim() === ''
    const body = { version: list.sms.version, name: name as never, language }
    try {
      keep(await call(saveSmsTemplate, { body: { ...body, template: isGone ? null : { ...wanted, provider } } }))
      setDraft(null)
      notify('well', t(isGone ? 'message-template.provider.removed' : 'message-template.provider.saved'))
      await queryClient.invalidateQueries({ queryKey: ['changes'] })
    } catch (refused) {
      setError(refused)
      if (isRefusal(refused, 'version.conflict'))
        keep((refused.data as { current: MessageTemplateList['sms'] }).current)
    }
    setBusy(false)
  }
  const isConflict = isRefusal(error, 'version.conflict')
  const errorText = isConflict ? t('message-template.provider.conflict') : (error as Error | null)?.message
  return {
    value,
    stored,
    change: setDraft,
    save,
    busy,
    errors,
    // A refusal with a field is shown there.
    problem: errors['template.values'] || errors['template.id'] ? '' : (errorText ?? ''),
    isDirty: draft !== null && JSON.stringify(draft) !== JSON.stringify(loaded),
  }
}
