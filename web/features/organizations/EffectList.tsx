import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type OrganizationEffects, organizationEffects } from '#shared/contract/organization-endings.ts'
import { call } from '../../platform/api.ts'

/** What ending an organisation affects, always refetched. */
export function useEffects(id: string): OrganizationEffects | undefined {
  const { data } = useQuery({
    queryKey: ['organizations', 'effects', id],
    queryFn: ({ signal }) => call(organizationEffects, { query: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  return data
}

const EFFECT_LINES = [
  ['people', 'organization.effect.people'],
  ['children', 'organization.effect.children'],
  ['peopleBelow', 'organization.effect.people-below'],
  ['secondaryMembers', 'organization.effect.secondary-members'],
  ['roles', 'organization.effect.roles'],
  ['grants', 'organization.effect.grants'],
  ['appointments', 'organization.effect.appointments'],
] as const

/** What is affected, in words, without zero counts. */
export function EffectList({ title, effects }: { title: string; effects: OrganizationEffects }) {
  const { t } = useTranslation()
  const lines = EFFECT_LINES.filter(([line]) => effects[line] > 0)
  if (lines.length === 0) return <p>{t('organization.effect.nothing')}</p>
  const more = effects.grants > effects.applications.length ? ' …' : ''
  const names = effects.applications.join(t('list.separator')) + more
  return (
    <>
      <h3>{title}</h3>
      <ul className="effects">
        {lines.map(([line, message]) => (
          <li key={line}>{t(message, { count: effects[line], names })}</li>
        ))}
      </ul>
    </>
  )
}
