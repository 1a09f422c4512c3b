import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import { type Conflict, ConflictNotice } from './ConflictNotice.tsx'
import { ForceSave } from './ForceSave.tsx'
import { fieldErrorsOf } from './field-errors.ts'
import { UnsavedGuard } from './UnsavedGuard.tsx'
import { useMarkedFields } from './use-marked-fields.ts'
import './save-bar.css'

type Props<T> = {
  /** Number of unsaved changes; 0: no bar. */
  count: number
  onSave: () => Promise<unknown>
  /** Saves a change that was refused because it locks somebody out; absent: not possible. */
  onForce?: () => Promise<unknown>
  onDiscard: () => void
  /** The effects of the change. */
  impact?: ReactNode
  /** The error of the last attempt; fields are marked by the page. */
  error: unknown
  onError: (error: unknown) => void
  /** Absent: whoever else saved is told of where it stands. */
  conflict?: Conflict<T>
  /** What is typed belongs to the open tab, and is lost with it. */
  isOfTab?: boolean
  /** As `UnsavedGuard` takes it. */
  isOfPage?: boolean
}

/** Shown while there are unsaved changes; also handles edit conflicts. */
export function SaveBar<T extends object>({
  count,
  onSave,
  onForce,
  onDiscard,
  impact,
  error,
  onError,
  conflict,
  isOfTab = false,
  isOfPage = false,
}: Props<T>) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    onError(undefined)
    try {
      await onSave()
    } catch (failure) {
      onError(failure)
    } finally {
      setBusy(false)
    }
  }
  const isDirty = count > 0
  const noteFocus = useFocusReturn(isDirty)
  const button = useRef<HTMLButtonElement>(null)
  useSaveKey(button)
  if (!isDirty) return null
  const isConflict = conflict !== undefined && isRefusal(error, 'version.conflict')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus comes from.
    <div className="save-bar" onFocus={noteFocus}>
      {isConflict && (
        <ConflictNotice
          conflict={conflict}
          data={error as Refusal}
          onDone={() => {
            onError(undefined)
            button.current?.focus()
          }}
        />
      )}
      {error !== undefined && !isConflict && <Reason error={error} />}
      {onForce && <ForceSave error={error} onForce={onForce} />}
      {impact}
      <div className="save-line">
        <span role="status">{t('save-bar.dirty', { count })}</span>
        <span className="form-actions">
          <button
            type="button"
            className="button"
            onClick={() => {
              onError(undefined)
              onDiscard()
            }}
          >
            {t('save-bar.discard')}
          </button>
          <button
            ref={button}
            type="button"
            className="button button-primary"
            aria-disabled={busy || undefined}
            aria-keyshortcuts="Control+S"
            onClick={() => !busy && void save()}
          >
            {t('action.save')}
          </button>
        </span>
      </div>
      <UnsavedGuard when={isDirty && !busy} isOfTab={isOfTab} isOfPage={isOfPage} />
    </div>
  )
}

const wholePage = () => document.body

/** Why the last attempt failed, until the fields that it marked are mended. */
function Reason({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isUnreadable = isRefusal(error, 'request.invalid')
  const namesFields = isUnreadable || Object.keys(fieldErrorsOf(error)).length > 0
  const marked = useMarkedFields(wholePage, namesFields ? error : undefined)
  if (marked === 'mended') return null
  // Input that can't be read is described at its field; the refusal names it as programs do.
  const isSaidThere = isUnreadable && marked === 'fields'
  return (
    <p className="field-error" role="alert">
      {isSaidThere ? t('form.check-fields') : isRefusal(error) ? error.message : t('network.unreachable')}
    </p>
  )
}

/** Ctrl+S saves, but not behind a dialog. */
function useSaveKey(button: { current: HTMLButtonElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (!button.current || document.querySelector('dialog[open]')) return
      event.preventDefault()
      button.current.click()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [button])
}

/**
 * When the bar disappears the focus returns to the previous element, or to the open tab. @returns the bar's `onFocus`.
 */
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
