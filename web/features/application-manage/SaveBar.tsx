import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { SaveBar as Bar } from '../../ui/SaveBar.tsx'
import type { ApplicationDraft } from './use-application-draft.ts'

type Props = {
  draft: ApplicationDraft
  error: unknown
  onError: (error: unknown) => void
}

/** The bar that saves an application. */
export function SaveBar({ draft, error, onError }: Props) {
  const { t } = useTranslation()
  const { loaded, takeTheirs, take } = draft
  return (
    <Bar
      count={draft.dirty.length}
      onSave={draft.save}
      onDiscard={draft.discard}
      error={error}
      onError={onError}
      conflict={{ loaded, labels: labelsOf(t), onTakeTheirs: takeTheirs, onKeepMine: take }}
    />
  )
}

const COMPARED_FIELDS = [
  'name',
  'names',
  'description',
  'descriptions',
  'categoryId',
  'position',
  'url',
  'type',
  'picture',
  'serviceUrls',
  'userAttribute',
  'singleLogout',
  'logoutUrl',
  'proxy',
  'proxyCallbackUrls',
  'casOptions',
  'clientId',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'grantTypes',
  'scopes',
  'consent',
  'subjectType',
  'idTokenAlg',
  'idTokenClaims',
  'resourceServer',
  'profileStyle',
  'tokenStyle',
  'attributes',
] as const satisfies (keyof ApplicationDetails)[]

const labelsOf = (t: TFunction) =>
  Object.fromEntries(COMPARED_FIELDS.map((name) => [name, t(`application-field.${name}`)]))
