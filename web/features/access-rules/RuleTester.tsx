import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { testAccessRules } from '#shared/contract/access-rules.ts'
import { listApplications, type ManagedApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useDebouncedText } from '../../ui/use-option-search.ts'
import { AddressCheck } from './AddressCheck.tsx'
import { ModeTag } from './ModeTag.tsx'
import { OutcomeWord } from './RuleSentence.tsx'
import { RULES_KEY } from './rule-queries.ts'
import './access-rules.css'

type Verdict = z.output<typeof testAccessRules.output>

const toApplication = ({ appId, name }: ManagedApplication): PickerOption => ({ id: appId, label: name, hint: appId })

/** Tests the rules against a login of anybody, from any address, at any time, to any application. Writes nothing. */
export function RuleTester() {
  const { ip = '' } = useSearch({ strict: false }) as { ip?: string }
  return <Tester key={ip} firstIp={ip} />
}

/** @param firstIp the address to begin with; empty: the caller's own. */
function Tester({ firstIp }: { firstIp: string }) {
  const { t, i18n } = useTranslation()
  const [person, setPerson] = useState<PickerOption[]>([])
  const [typed, setTyped] = useState(firstIp)
  const [at, setAt] = useState<string | null>(null)
  const [application, setApplication] = useState<PickerOption[]>([])
  const ip = useDebouncedText(typed.trim())
  const request = {
    ...(person[0] && { userId: person[0].id }),
    ...(ip && { ip }),
    ...(at && { at }),
    ...(application[0] && { appId: application[0].id }),
  }
  const test = useQuery({
    queryKey: [RULES_KEY, 'test', request, i18n.language],
    // With whom it is about: the former verdict stays until the next one arrives.
    queryFn: async ({ signal }) => ({
      verdict: await call(testAccessRules, { body: request }, { signal }),
      who: person[0]?.label,
    }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const verdict = test.data?.verdict
  const wrong = isRefusal(test.error, 'ip-range.bad-address') ? test.error.message : undefined
  return (
    <section className="rule-test" aria-labelledby="rule-test">
      <header>
        <h2 id="rule-test">{t('access-rule.test.title')}</h2>
        <p className="muted">{t('access-rule.test.explain')}</p>
      </header>
      <div className="rule-test-fields">
        <Picker
          label={t('access-rule.person')}
          hint={t('access-rule.test.person')}
          placeholder={t('password-test.person.search')}
          isOptional
          {...PERSON_PICKER}
          value={person}
          onChange={setPerson}
        />
        <TextField
          label={t('ip-range.address')}
          value={typed}
          isOptional
          maxLength={60}
          placeholder={verdict?.ip && !ip ? verdict.ip : '10.20.30.40'}
          hint={t('access-rule.test.address')}
          error={wrong}
          onChange={setTyped}
        />
        <DateTimeField
          label={t('access-rule.test.time')}
          hint={t('access-rule.test.now')}
          isOptional
          value={at}
          onChange={setAt}
        />
        <Picker<ManagedApplication>
          label={t('records.application')}
          hint={t('access-rule.test.portal')}
          isOptional
          endpoint={listApplications}
          toOption={toApplication}
          value={application}
          onChange={setApplication}
        />
      </div>
      <div className="rule-test-answer">
        {test.isPending && <Skeleton lines={4} />}
        {test.isError && !wrong && <FailedBlock error={test.error} onRetry={() => void test.refetch()} />}
        {verdict && !test.isError && <Answer verdict={verdict} person={test.data?.who} />}
        {ip && verdict?.ip && !test.isError && <AddressCheck key={verdict.ip} ip={verdict.ip} />}
      </div>
    </section>
  )
}

type AnswerProps = { verdict: Verdict; person: string | undefined }

function Answer({ verdict, person }: AnswerProps) {
  const { t } = useTranslation()
  const { rules, ip, range } = verdict
  return (
    <>
      <Decision verdict={verdict} person={person} />
      {ip && (
        <p className="muted">
          <code>{ip}</code> ·{' '}
          {range
            ? [...new Set([range.shownName, t(`ip-range.kind.${range.kind}`)])].join(' · ')
            : t('ip-range.in-none')}
        </p>
      )}
      <h3>{t('access-rule.test.rules')}</h3>
      <ul className="rule-test-rules">
        {rules.map((rule) => (
          <li key={rule.id} data-applies={(rule.applies && rule.mode !== 'off') || undefined}>
            <Icon name={rule.applies ? 'check' : 'close'} />
            <span className="rule-test-name">
              {rule.shownName} <span aria-hidden="true">→</span> <OutcomeWord outcome={rule.outcome} />
            </span>
            <ModeTag mode={rule.mode} />
            <span className="muted">
              <Why rule={rule} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

type Rule = Verdict['rules'][number]

/** Why a rule applies or doesn't. */
function Why({ rule: { applies, unless, mode } }: { rule: Rule }): ReactNode {
  const { t } = useTranslation()
  if (applies) return t(`access-rule.test.applies.${mode}`)
  return t('access-rule.test.unless', {
    parts: unless.map((part) => t(`access-rule.test.unless.${part}`)).join(t('list.separator')),
  })
}

/** An active rule that would say something about some people, here and now. */
const isForOthers = ({ mode, unless, outcome }: Rule) =>
  mode === 'on' && outcome !== 'notify' && unless.length === 1 && unless[0] === 'who'

/** The result of the login, the rule that decided it, and what report-only rules would have done. */
function Decision({ verdict, person }: AnswerProps) {
  const { t } = useTranslation()
  const { outcome, decidedBy, rules, suspended, obstacles } = verdict
  const nameOf = (id: string | null) => rules.find((rule) => rule.id === id)?.shownName ?? ''
  const would = rules.find(({ applies, mode }) => applies && mode === 'report')
  const who = person ?? t('access-rule.test.anybody')
  const isForSome = outcome === null && person === undefined && !suspended && rules.some(isForOthers)
  const shown = obstacles.length > 0 ? 'refuse' : isForSome ? 'captcha' : (outcome ?? 'none')
  return (
    <div role="status" className="rule-decision" data-outcome={shown}>
      {obstacles.map((reason) => (
        <p key={reason}>
          <strong>
            {t('access-rule.test.obstacle', { who, reason: translateOr(`obstacle.${reason}`, 'login-reason.unknown') })}
          </strong>
        </p>
      ))}
      {obstacles.length === 0 && (
        <p>
          <strong>{t(`access-rule.test.outcome.${isForSome ? 'some' : (outcome ?? 'none')}`, { who })}</strong>
        </p>
      )}
      {decidedBy && obstacles.length === 0 && <p>{t('access-rule.test.decided', { name: nameOf(decidedBy) })}</p>}
      {suspended && <p>{t('access-rule.suspended')}</p>}
      {would && (
        <p className="muted">
          {t('access-rule.test.would', { name: would.shownName, outcome: t(`access-rule.outcome.${would.outcome}`) })}
        </p>
      )}
    </div>
  )
}
