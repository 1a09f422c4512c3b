import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoginCheck as Check, checkLogin } from '#shared/contract/login-check.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { useIsSuperUser, useUser } from '../../platform/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import { useDeliverySentence } from '../../ui/use-delivery-sentence.ts'
import type { PersonTask } from './PersonVerbs.tsx'
import { PERSON_KEY } from './people-queries.ts'

/** The action that lifts each obstacle. */
const REMEDIES: Readonly<Record<string, PersonTask>> = {
  'account.deleted': 'restore',
  'account.disabled': 'enable',
  'account.locked': 'unlock',
  'account.locked-by-failures': 'unlock',
  'account.frozen': 'thaw',
  'account.expired': 'edit',
  'account.not-yet': 'edit',
  'account.inactive': 'reset',
  'password.none': 'reset',
  'password.wrong': 'reset',
}
const PERMISSIONS: Partial<Record<PersonTask, keyof UserDetails['may']>> = {
  unlock: 'unlock',
  thaw: 'unlock',
  reset: 'reset',
}

type Props = {
  person: UserDetails
  onTask: (task: PersonTask) => void
  /** Asks about the person and one application; closes with `onClose`. */
  application?: (person: UserDetails, onClose: () => void) => ReactNode
}

function useLoginCheck({ id }: UserDetails) {
  const { i18n } = useTranslation()
  return useQuery({
    queryKey: [PERSON_KEY, id, 'login-check', i18n.language],
    queryFn: ({ signal }) => call(checkLogin, { query: { id } }, { signal }),
  })
}

/**
 * The action that lifts the most serious obstacle, if the administrator may perform it; shown next to the cause only.
 */
export function useRemedy(person: UserDetails): PersonTask | null {
  const user = useUser()
  const { data } = useLoginCheck(person)
  const remedy = REMEDIES[data?.obstacles[0]?.reason ?? data?.lastFailure?.reason ?? '']
  return remedy && user?.userId !== person.id && person.may[PERMISSIONS[remedy] ?? 'edit'] ? remedy : null
}

/**
 * Why a person can't log in: what a login would be refused for, why the last one failed, and the button that fixes it.
 */
export function LoginCheck({ person, onTask, application }: Props) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useLoginCheck(person)
  const remedy = useRemedy(person)
  const ofApplication = application && !person.deletedAt && <AskApplication person={person} ask={application} />
  const well = (
    <>
      <p>{t(person.hasPassword ? 'login-check.well' : 'login-check.no-password')}</p>
      {ofApplication}
    </>
  )
  if (isError && !data) return <FailedCheck onRetry={() => void refetch()} />
  // Room for the usual answer: the verbs and tabs below must not move under a pointer.
  if (!data) return <div className="login-check-well login-check-room">{well}</div>
  const { obstacles, lastFailure } = data
  const isWell = obstacles.length === 0 && !lastFailure && !hasNotes(data)
  if (isWell) return <div className="login-check-well muted">{well}</div>
  const heading = headingOf(data)
  return (
    <section
      className="banner login-check"
      aria-label={t(heading === 'login-check.but' ? heading : 'login-check.title')}
    >
      <Icon name="warning" />
      <div>
        <strong>{t(heading)}</strong>
        <Causes check={data} hasPassword={person.hasPassword} />
        {!isLost(data.lastCode) && (data.lastCode || obstacles.length === 0) && <LastCode code={data.lastCode} />}
        {ofApplication}
      </div>
      {remedy && (
        <button type="button" className="button" onClick={() => onTask(remedy)}>
          {t(`person.verb.${remedy}`)}
        </button>
      )}
    </section>
  )
}

const hasNotes = ({ coolingContacts, demands, refusedBy, lastCode }: Check) =>
  coolingContacts.length + demands.length + refusedBy.somewhere.length > 0 || isLost(lastCode)

/** A code that never arrived; one that waits is not late yet. */
const isLost = (code: Check['lastCode']) => code?.state === 'failed' || code?.state === 'expired'

const headingOf = ({ obstacles, lastFailure }: Check) =>
  obstacles.length > 0 ? 'login-check.title' : lastFailure ? 'login-check.last-failed' : 'login-check.but'

/** A failed check says so: an empty area would look like no problem. */
function FailedCheck({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="login-check-well muted" role="alert">
      <p>{t('login-check.failed')}</p>
      <button type="button" className="button button-quiet" onClick={onRetry}>
        {t('action.retry')}
      </button>
    </div>
  )
}

/** Access to one application is a separate question, answered in a dialog. */
function AskApplication({ person, ask }: { person: UserDetails; ask: NonNullable<Props['application']> }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!useIsSuperUser()) return null
  return (
    <>
      <button type="button" className="button button-quiet" onClick={() => setOpen(true)}>
        {t('login-check.application')}
      </button>
      {isOpen && ask(person, () => setOpen(false))}
    </>
  )
}

function Causes({ check, hasPassword }: { check: Check; hasPassword: boolean }) {
  const { t } = useTranslation()
  const { obstacles, refusedBy, demands, lastFailure, coolingContacts, lastCode } = check
  return (
    <ul>
      {obstacles.map(({ reason, until }) => (
        <li key={reason}>
          {translateOr(`obstacle.${reason}`, 'login-reason.unknown')}
          {until && (
            <span className="muted">
              {' '}
              {t(reason === 'account.not-yet' ? 'login-check.valid-from' : 'person.until-time')} <Time value={until} />
            </span>
          )}
          {reason === 'rule.refused' && <Rules names={refusedBy.everywhere} />}
        </li>
      ))}
      {!hasPassword && obstacles.length === 0 && <li className="muted">{t('login-check.no-password')}</li>}
      {refusedBy.somewhere.length > 0 && (
        <li className="muted">
          {t('login-check.refused-somewhere')}
          <Rules names={refusedBy.somewhere} />
        </li>
      )}
      {demands.map((demand) => (
        <li key={demand} className="muted">
          {t(`login-step.reason.account.${demand}`)}
        </li>
      ))}
      {lastFailure && (
        <li className="muted">
          <Time value={lastFailure.at} />
          {lastFailure.ip && (
            <>
              {' · '}
              <Link
                to="/manage/net-strategy"
                search={() => ({ tab: 'test', ip: lastFailure.ip ?? '' })}
                className="tabular"
              >
                {lastFailure.ip}
              </Link>
            </>
          )}{' '}
          · {translateOr(`login-reason.${lastFailure.reason}`, 'login-reason.unknown')}
          {lastFailure.rules.length > 0 &&
            ` · ${t('login-check.by-rule', { rules: lastFailure.rules.join(t('list.separator')) })}`}
        </li>
      )}
      {coolingContacts.map(({ kind, until }) => (
        <li key={kind} className="muted">
          {t(until ? `login-check.cooling-${kind}` : `login-check.unconfirmed-${kind}`)}{' '}
          {until && <Time value={until} />}
        </li>
      ))}
      {lastCode && isLost(lastCode) && (
        <li className="muted">
          <SentCode code={lastCode} />
        </li>
      )}
    </ul>
  )
}

/** The access rules behind it; super users can test them for an address. */
function Rules({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  return (
    <>
      {' · '}
      {t('login-check.by-rule', { rules: names.join(t('list.separator')) })}
      {isSuperUser && (
        <>
          {' · '}
          <Link to="/manage/net-strategy" search={() => ({ tab: 'test' })}>
            {t('login-check.test-rules')}
          </Link>
        </>
      )}
    </>
  )
}

/** Whether a missing code was requested, and what the gateway said. */
function LastCode({ code }: { code: Check['lastCode'] }) {
  const { t } = useTranslation()
  return <p className="muted">{code ? <SentCode code={code} /> : t('login-check.no-code')}</p>
}

function SentCode({ code }: { code: NonNullable<Check['lastCode']> }) {
  const { t } = useTranslation()
  const { at, channel, to, state, words } = code
  const sentence = useDeliverySentence(code)
  return (
    <>
      {t('login-check.code-to', { channel: t(`message-channel.${channel}`), to })} <Time value={at} /> ·{' '}
      {t(`login-check.code-${state}`)}
      {sentence && ` · ${sentence}`}
      {words && ` ${t('gateway.words', { words })}`}
    </>
  )
}
