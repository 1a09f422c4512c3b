import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizationMoveEffects } from '#shared/contract/organization-moves.ts'
import { call } from '../../platform/api.ts'

type Props = {
  id: string
  /** Current and new parent; null: the top. */
  from: string | null
  to: string | null
}

/** What people gain and lose by the move of their organisation, before it is confirmed. */
export function MoveEffects({ id, from, to }: Props) {
  const { t, i18n } = useTranslation()
  const { data, isError } = useQuery({
    queryKey: ['organizations', 'move-effects', id, to, i18n.language],
    queryFn: ({ signal }) =>
      call(organizationMoveEffects, { query: { id, ...(to !== null && { parentId: to }) } }, { signal }),
    enabled: from !== to,
    staleTime: 0,
    gcTime: 0,
  })
  const shown = from === to ? undefined : data
  const listed = ({ names, total }: { names: string[]; total: number }) =>
    names.join(t('list.separator')) + (total > names.length ? ' …' : '')
  return (
    <div aria-live="polite">
      {isError && from !== to && <p className="muted">{t('impact.unknown')}</p>}
      {shown && shown.gains.total + shown.loses.total > 0 && (
        <ul className="effects">
          {shown.gains.total > 0 && <li>{t('organization.move-gains', { things: listed(shown.gains) })}</li>}
          {shown.loses.total > 0 && <li>{t('organization.move-loses', { things: listed(shown.loses) })}</li>}
        </ul>
      )}
      {shown?.refusal && <p className="banner banner-danger">{t(`organization.move-refused.${shown.refusal}`)}</p>}
    </div>
  )
}
