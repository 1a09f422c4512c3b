import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type RulesNaming, rulesNaming, rulesNamingApplications } from '#shared/contract/rules-naming.ts'
import { type CallInput, call } from '../platform/api.ts'
import { useIsSuperUser } from '../platform/session.ts'
import './named-by-rules.css'

type Named = CallInput<typeof rulesNaming>['body'] | CallInput<typeof rulesNamingApplications>['body']

type Props = Named & {
  /** It is only disabled: the rules stay as they are. */
  isKept?: boolean
  onLeave: () => void
}

/** The access rules that name what is about to be deleted, and what becomes of each. Super users see rules, nobody else. */
export function NamedByRules({ isKept = false, onLeave, ...named }: Props) {
  const { t, i18n } = useTranslation()
  const id = useId()
  const { data } = useQuery({
    queryKey: ['access-rules', 'naming', named, i18n.language],
    queryFn: ({ signal }) =>
      'selection' in named
        ? call(rulesNamingApplications, { body: named }, { signal })
        : call(rulesNaming, { body: named }, { signal }),
    enabled: useIsSuperUser(),
    staleTime: 0,
  })
  if (!data || data.rules.length === 0) return null
  const count = data.rules.length
  return (
    <section className="named-by-rules">
      <p id={id}>{t(isKept ? 'rules-naming.kept' : 'rules-naming.title', { count })}</p>
      <ul aria-labelledby={id}>
        {data.rules.map((rule) => (
          <li key={rule.id}>
            <Link to="/manage/net-strategy" search={{ tab: 'rules', open: rule.id } as never} onClick={onLeave}>
              {rule.shownName}
            </Link>{' '}
            {t(isKept ? 'rules-naming.kept-rule' : 'rules-naming.rule', {
              mode: t(`access-rule.mode.${rule.mode}`),
              outcome: t(`access-rule.outcome.${rule.outcome}`),
              text: effectText(t, rule, 'selection' in named || named.values.length > 1),
            })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function effectText(t: TFunction, { effect, names }: RulesNaming['rules'][number], isOfSeveral: boolean): string {
  const text = t(`rules-naming.fate.${effect}`)
  return isOfSeveral ? t('rules-naming.of', { names: names.join(t('list.separator')), text }) : text
}
