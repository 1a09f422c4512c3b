import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyKey } from '#shared/contract/login-config.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { PolicyField } from './PolicyField.tsx'
import { POLICY_GROUPS, type PolicyGroup } from './policy-groups.ts'
import { DEFAULTS } from './policy-values.ts'
import { RecordMonths } from './RecordMonths.tsx'
import type { LoginConfigDraft } from './use-login-config.ts'

type Props = {
  draft: LoginConfigDraft
  /** Part of a name, an explanation or a group: the others are hidden. */
  search: string
  onSearch: (search: string) => void
  onTest: () => void
}

/** The groups of rules, with navigation to each. */
export function PolicySections({ draft, search, onSearch, onTest }: Props) {
  const { t } = useTranslation()
  const wanted = search.trim().toLocaleLowerCase()
  const isFound = (key: PolicyKey) =>
    [key, t(`audit-field.${key}`), t(`login-config.text.${key}`)].some((text) =>
      text.toLocaleLowerCase().includes(wanted),
    )
  const groups = POLICY_GROUPS.map((group) => ({
    group,
    keys: (group.keys as readonly PolicyKey[]).filter(
      (key) =>
        wanted === '' || isFound(key) || t(`login-config.group.${group.name}`).toLocaleLowerCase().includes(wanted),
    ),
  })).filter(({ keys }) => keys.length > 0)
  return (
    <div className="policy">
      <div className="policy-side">
        <input
          className="input"
          type="search"
          aria-label={t('login-config.find')}
          placeholder={t('login-config.find')}
          value={search}
          maxLength={100}
          onChange={({ target }) => onSearch(target.value)}
        />
        <SectionLinks groups={groups.map(({ group }) => group)} draft={draft} />
      </div>
      <div className="policy-groups">
        <p className={groups.length > 0 ? 'visually-hidden' : 'muted'} role="status">
          {groups.length === 0 && t('login-config.found-none')}
        </p>
        {groups.map(({ group, keys }) => (
          <GroupSection key={group.name} group={group} keys={keys} draft={draft} onTest={onTest} />
        ))}
      </div>
    </div>
  )
}

const sectionId = ({ name }: PolicyGroup): string => `policy-${name}`

const countChanged = (draft: LoginConfigDraft, keys: readonly PolicyKey[]): number =>
  keys.filter((key) => !isSameValue(draft.shownValue(key), DEFAULTS[key])).length

function SectionLinks({ groups, draft }: { groups: readonly PolicyGroup[]; draft: LoginConfigDraft }) {
  const { t } = useTranslation()
  const current = useSectionInSight(groups.map(sectionId))
  const show = (group: PolicyGroup) => {
    const heading = document.getElementById(sectionId(group))?.querySelector<HTMLElement>('h2')
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={t('login-config.sections')}>
      <ul>
        {groups.map((group) => {
          const changed = countChanged(draft, group.keys)
          return (
            <li key={group.name}>
              <button
                type="button"
                className="policy-link"
                aria-current={current === sectionId(group) ? 'true' : undefined}
                onClick={() => show(group)}
              >
                <span>{t(`login-config.group.${group.name}`)}</span>
                {changed > 0 && (
                  <span className="policy-count tabular">
                    <span aria-hidden="true">{changed}</span>
                    <span className="visually-hidden">{t('login-config.changed-count', { count: changed })}</span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** The first section visible in the upper part of the window. */
function useSectionInSight(ids: readonly string[]): string | undefined {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const all = ids.join(' ')
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setSeen((before) => {
          const now = new Set(before)
          for (const { target, isIntersecting } of entries) isIntersecting ? now.add(target.id) : now.delete(target.id)
          return now
        }),
      { rootMargin: '-90px 0px -55% 0px' },
    )
    for (const id of all.split(' ')) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [all])
  return ids.find((id) => seen.has(id))
}

type SectionProps = { group: PolicyGroup; keys: readonly PolicyKey[]; draft: LoginConfigDraft; onTest: () => void }

function GroupSection({ group, keys, draft, onTest }: SectionProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="policy-group" id={sectionId(group)} aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id} tabIndex={-1}>
            {t(`login-config.group.${group.name}`)}
          </h2>
          <p className="muted">{t(`login-config.group.${group.name}.text`)}</p>
          {group.name === 'methods' && (
            <Link to="/manage/account-field-rules" className="button button-quiet">
              {t('field-rule.login-names')}
            </Link>
          )}
        </div>
        {group.name === 'password' && (
          <button type="button" className="button" onClick={onTest}>
            {t('password-test.open')}
          </button>
        )}
      </header>
      <div className="policy-fields">
        {keys.map((key) => (
          <PolicyField key={key} name={key} draft={draft} />
        ))}
        {group.name === 'records' && <RecordMonths />}
      </div>
    </section>
  )
}
