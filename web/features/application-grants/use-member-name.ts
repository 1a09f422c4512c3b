import { useTranslation } from 'react-i18next'
import type { SubjectKind } from '#shared/contract/application-grants.ts'

type Named = { kind: SubjectKind; name: string; code: string }

/** Whom a grant is for: names of people are often shared, so a person has the number beside it. */
export function useMemberName(): (member: Named) => string {
  const { t } = useTranslation()
  return ({ kind, name, code }) => {
    if (!name) return t('grant.unknown-member')
    return kind === 'user' ? t('person.named', { name, account: code }) : name
  }
}
