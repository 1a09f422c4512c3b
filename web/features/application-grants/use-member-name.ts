import { useTranslation } from 'react-i18next'
import type { SubjectKind } from '#shared/contract/application-grants.ts'

type Named = { kind: SubjectKind; name: string; code: string }

/** The name of a grant subject; names are often shared, so a person's account is added. */
export function useMemberName(): (member: Named) => string {
  const { t } = useTranslation()
  return ({ kind, name, code }) => {
    if (!name) return t('grant.unknown-member')
    return kind === 'user' ? t('person.named', { name, account: code }) : name
  }
}
