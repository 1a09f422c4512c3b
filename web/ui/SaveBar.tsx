import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../platform/failure-text.ts'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import { type Conflict, ConflictNotice } from './ConflictNotice.tsx'
import { ForceSave } from './ForceSave.tsx'
import { fieldErrorsOf } from './field-errors.ts'
import { tellLeftFailure, useGone } from './left-request.ts'
import { PAGE_TITLE } from './PageTitle.tsx'
import { focusTitle } from './restore-focus.ts'
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
  const gone = useGone()
  const save = async () => {
    const title = document.getElementById(PAGE_TITLE)?.textContent ?? ''
    setBusy(true)
    onError(undefined)
    try {
      await onSave()
    } catch (failure) {
      if (gone.current) tellLeftFailure(title, failure)
      else onError(failure)
    } finally {
      setBusy(false)
    }
  }
  const isDirty = count > 0
  const bar = useFocusReturn(count)
  const button = useRef<HTMLButtonElement>(null)
  useSaveKey(button)
  const isConflict = conflict !== undefined && isRefusal(error, 'version.conflict')
  return (
    <>
      {/* Kept when all is saved: a leave that waits for the answer then goes on by itself. */}
      <UnsavedGuard when={isDirty} what={busy ? 'saving' : 'unsaved'} isOfTab={isOfTab} isOfPage={isOfPage} />
      {isDirty && (
        <div className="save-bar" ref={bar}>
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
        </div>
      )}
    </>
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
      {isSaidThere ? t('form.check-fields') : failureText(error)}
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
 * When the bar disappears the focus returns to the field that was changed last: with the keyboard it came from the last field of the page,
 * which may be far from there. If that has disappeared, to the open tab, else to the page's title. @returns for the bar
 */
function useFocusReturn(count: number): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  const changed = useRef<Element | null>(null)
  const wasShown = useRef(count > 0)
  useEffect(() => {
    // Also when a field is changed again, which leaves the number of changes as it is.
    const note = ({ target }: Event) => {
      const isOfForm = target instanceof Element && !bar.current?.contains(target) && !target.matches('[type=search]')
      if (isOfForm) changed.current = target
    }
    addEventListener('input', note)
    addEventListener('change', note)
    return () => {
      removeEventListener('input', note)
      removeEventListener('change', note)
    }
  }, [])
  useEffect(() => {
    const isShown = count > 0
    const isGone = wasShown.current && !isShown
    wasShown.current = isShown
    const focused = document.activeElement
    // Buttons, too, change values.
    if (isShown && focused && focused !== document.body && !bar.current?.contains(focused)) changed.current = focused
    if (!isGone || focused !== document.body) return
    const tab = document.querySelector('[role=tab][aria-selected=true]')
    const back = changed.current?.isConnected ? changed.current : tab
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    else focusTitle()
  }, [count])
  return bar
}
