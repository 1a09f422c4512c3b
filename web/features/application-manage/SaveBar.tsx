import type { TFunction } from 'i18next'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { isRefusal, type Refusal } from '../../platform/refusal.ts'
import { ConflictNotice } from '../../ui/ConflictNotice.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import type { ApplicationDraft } from './use-application-draft.ts'

type Props = {
  draft: ApplicationDraft
  error: unknown
  onError: (error: unknown) => void
}

/** Appears with the first change and goes with the last one; a lost update is settled here. */
export function SaveBar({ draft, error, onError }: Props) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    onError(undefined)
    try {
      await draft.save()
    } catch (failure) {
      onError(failure)
    } finally {
      setBusy(false)
    }
  }
  const isDirty = draft.dirty.length > 0
  const noteFocus = useFocusReturn(isDirty)
  const button = useRef<HTMLButtonElement>(null)
  if (!isDirty) return null
  const isConflict = isRefusal(error, 'version.conflict')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus comes from.
    <div className="save-bar" onFocus={noteFocus}>
      {isConflict && (
        <ConflictNotice
          conflict={{
            loaded: draft.loaded,
            labels: labelsOf(t),
            onTakeTheirs: draft.takeTheirs,
            onKeepMine: draft.take,
          }}
          data={error as Refusal}
          onDone={() => {
            onError(undefined)
            button.current?.focus()
          }}
        />
      )}
      {error !== undefined && !isConflict && (
        <p className="field-error" role="alert">
          {isRefusal(error) ? error.message : t('network.unreachable')}
        </p>
      )}
      <div className="save-line">
        <span role="status">{t('application-settings.dirty', { count: draft.dirty.length })}</span>
        <span className="form-actions">
          <button
            type="button"
            className="button"
            onClick={() => {
              onError(undefined)
              draft.discard()
            }}
          >
            {t('application-settings.discard')}
          </button>
          <button
            ref={button}
            type="button"
            className="button button-primary"
            aria-disabled={busy || undefined}
            onClick={() => !busy && void save()}
          >
            {t('action.save')}
          </button>
        </span>
      </div>
      <UnsavedGuard when={isDirty && !busy} />
    </div>
  )
}

/** The bar goes away with what it did: the focus goes back to where it came from, or to the open tab. @returns for its `onFocus`. */
function useFocusReturn(isShown: boolean): (event: FocusEvent) => void {
  const from = useRef<Element | null>(null)
  const wasShown = useRef(isShown)
  useEffect(() => {
    const isGone = wasShown.current && !isShown
    wasShown.current = isShown
    if (!isGone || document.activeElement !== document.body) return
    const tab = document.querySelector('[role=tab][aria-selected=true]')
    const back = from.current?.isConnected ? from.current : tab
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
  }, [isShown])
  return ({ currentTarget, relatedTarget }) => {
    if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)) from.current = relatedTarget
  }
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
