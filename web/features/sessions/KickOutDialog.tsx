import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { kickOut, kickOutAll, type ManagedLogin } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import type { useEndedLogins } from '../../ui/LogoutDeliveries.tsx'
import { NamedLogin } from '../../ui/NamedLogin.tsx'

export const CURRENT_LOGINS_KEY = 'current-logins'

/** The logins to end: those of rows, all of a person, or all that match the filters, with their number when shown. */
export type Leaving =
  | { rows: ManagedLogin[] }
  | { filters: Record<string, string>; expected: number | null; person: string | null }

type Props = {
  leaving: Leaving
  onEnded: ReturnType<typeof useEndedLogins>['onEnded']
  onTask: (id: string) => void
  onClose: () => void
}

export function KickOutDialog({ leaving, onEnded, onTask, onClose }: Props) {
  const { t } = useTranslation()
  const title = useTitle(leaving)
  const kick = useMutation({
    mutationFn: async () => {
      if ('rows' in leaving) {
        onEnded(await call(kickOut, { body: { ids: leaving.rows.map(({ id }) => id) } }))
        return
      }
      onTask((await call(kickOutAll, { body: { filters: leaving.filters } as never })).taskId)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [CURRENT_LOGINS_KEY] }),
  })
  const only = 'rows' in leaving && leaving.rows.length === 1 ? leaving.rows[0] : undefined
  return (
    <ConfirmDialog
      title={title}
      verb={t('current-login-manage.kick-out')}
      onConfirm={() => kick.mutateAsync()}
      onClose={onClose}
    >
      {only && <NamedLogin login={only} />}
      <p>{t('current-login-manage.kick-out.text')}</p>
      {!('rows' in leaving) && <p>{t('current-login-manage.kick-out.later')}</p>}
    </ConfirmDialog>
  )
}

function useTitle(leaving: Leaving): string {
  const { t } = useTranslation()
  const number = useCount()
  if (!('rows' in leaving)) {
    const { person, expected } = leaving
    if (person) return t('current-login-manage.kick-out.title-everywhere', { name: person })
    return t('current-login-manage.kick-out.title-all', { count: expected ?? 0, total: number(expected ?? 0) })
  }
  const [first, ...others] = leaving.rows
  return first && others.length === 0
    ? t('current-login-manage.kick-out.title', { name: t('person.named', first) })
    : t('current-login-manage.kick-out.title-many', { count: leaving.rows.length })
}
