import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type RulesNaming, rulesNaming, rulesNamingApplications } from '#shared/contract/rules-naming.ts'
import { type CallInput, call } from '../platform/api.ts'
import { useIsSuperUser } from '../platform/session.ts'
import { Skeleton } from './PageSkeleton.tsx'
import { FailedBlock } from './StateBlock.tsx'
import './named-by-rules.css'

type Named = CallInput<typeof rulesNaming>['body'] | CallInput<typeof rulesNamingApplications>['body']

type Props = Named & {
  /** It is only disabled: the rules stay as they are. */
  isKept?: boolean
  /** It is deleted because it is merged into another. */
  isMerged?: boolean
  onLeave: () => void
}

/** The access rules that name what is about to be deleted, and what becomes of each. Super users see rules, nobody else. */
export function NamedByRules(props: Props) {
  return useIsSuperUser() ? <Naming {...props} /> : null
}

function Naming({ isKept = false, isMerged = false, onLeave, ...named }: Props) {
  const { t, i18n } = useTranslation()
  const id = useId()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['access-rules', 'naming', named, i18n.language],
    queryFn: ({ signal }) =>
      'selection' in named
        ? call(rulesNamingApplications, { body: named }, { signal })
        : call(rulesNaming, { body: named }, { signal }),
    staleTime: 0,
    // What an earlier dialog was told doesn't stand for an answer that failed.
    gcTime: 0,
  })
  if (error && !data) return <FailedBlock error={error} onRetry={() => void refetch()} />
  const rules = data?.rules ?? []
  const isOfSeveral = 'selection' in named || named.values.length > 1
  const sentence = `rules-naming.${isKept ? 'kept' : 'title'}${isOfSeveral ? '-several' : ''}` as 'rules-naming.title'
  return (
    <section className="named-by-rules">
      {isPending && <Skeleton lines={2} />}
      <div role="status">{rules.length > 0 && <p id={id}>{t(sentence, { count: rules.length })}</p>}</div>
      {rules.length > 0 && (
        <ul aria-labelledby={id}>
          {rules.map((rule) => {
            const [before, after] = lineOf(t, rule, effectText(t, rule, isMerged, isOfSeveral), isKept)
            return (
              <li key={rule.id}>
                {before}
                <Link to="/manage/net-strategy" search={{ tab: 'rules', open: rule.id } as never} onClick={onLeave}>
                  {rule.shownName}
                </Link>
                {after}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

type Rule = RulesNaming['rules'][number]

/** Stands in the line where the link to the rule goes. */
const MARK = '\u{fffc}'

/** What the line says before and after the name of the rule. */
const lineOf = (t: TFunction, { mode, outcome }: Rule, text: string, isKept: boolean): string[] =>
  t(isKept ? 'rules-naming.kept-rule' : 'rules-naming.rule', {
    rule: MARK,
    mode: t(`access-rule.mode.${mode}`),
    outcome: t(`access-rule.outcome.${outcome}`),
    text,
  }).split(MARK)

function effectText(t: TFunction, { effect, names }: Rule, isMerged: boolean, isOfSeveral: boolean): string {
  // Organisations are merged, and no rule is for them alone as it is for applications.
  const text =
    isMerged && effect !== 'every-application' ? t(`rules-naming.merged.${effect}`) : t(`rules-naming.effect.${effect}`)
  return isOfSeveral ? t('rules-naming.of', { names: names.join(t('list.separator')), text }) : text
}
