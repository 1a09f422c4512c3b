import {
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { type Conflict, ConflictNotice } from './ConflictNotice.tsx'
import { Dialog } from './Dialog.tsx'
import { FieldErrorsContext, fieldErrorsOf } from './field-errors.ts'
import { LeaveDialog } from './LeaveDialog.tsx'
import { SavingStatus } from './SavingStatus.tsx'
import { UnsavedGuard } from './UnsavedGuard.tsx'
import { useDialogRequest } from './use-dialog-request.ts'
import { useMarkedFields } from './use-marked-fields.ts'
import './form-dialog.css'

type Props<T> = {
  title: string
  /** The action, never "OK". */
  verb: string
  /** Saves; errors are shown in the dialog, success closes it. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
  /** The effects of saving. */
  impact?: ReactNode
  /** Shown below a refusal: what can be done about it. */
  errorAction?: (error: unknown) => ReactNode
  /** There is unsaved input: ask before leaving. */
  isDirty?: boolean
  size?: 'narrow' | 'wide'
  /** For objects that others may edit at the same time. */
  conflict?: Conflict<T>
  /** The answer shows something only once: the dialog waits for it. */
  isAwaited?: boolean
  /** Destructive: the focus starts on Cancel, unless a field requests it. */
  isDanger?: boolean
}

/** In place of a refusal: nothing was sent. */
const UNFINISHED_DATE = Symbol('a date lacks a part')

/** The first empty part of a date that was begun. */
function focusMissingPart(form: HTMLElement | null): boolean {
  const missing = form?.querySelector<HTMLElement>('[data-missing]')
  missing?.focus()
  return Boolean(missing)
}

/** A form in a dialog: busy while saving, errors at their fields, a guard for unsaved input, and conflict handling. */
export function FormDialog<T extends object>(props: Props<T>) {
  const { title, verb, onSubmit, errorAction, onClose, children, impact } = props
  const { isDirty = false, size, conflict, isAwaited = false, isDanger = false } = props
  const formId = useId()
  const { state, setState, isHeld, run, leave } = useDialogRequest({ title, isAwaited, onClose })
  const [isLeaving, setLeaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  const marked = useMarkedFields(
    useCallback(() => form.current, []),
    state.error,
  )
  useFirstError(form, state.error)
  const errors = useMemo(() => fieldErrorsOf(state.error), [state.error])
  const submit = (event: FormEvent) => {
    // An outer form of the page would be submitted along.
    event.preventDefault()
    event.stopPropagation()
    if (state.busy) return
    if (focusMissingPart(form.current)) return setState({ busy: false, error: UNFINISHED_DATE })
    void run(onSubmit)
  }
  const close = () => {
    if (isHeld) return
    if (isDirty) setLeaving(true)
    else leave()
  }
  useEffect(() => {
    // What was refused is to be read before the form is left.
    if (state.error !== undefined) setLeaving(false)
  }, [state.error])
  const isConflict = isRefusal(state.error, 'version.conflict')
  return (
    <Dialog
      title={title}
      onClose={close}
      {...(size && { size })}
      actions={
        <>
          <CancelButton isBusy={isHeld} isFirst={isDanger} onClick={close} />
          <button
            ref={save}
            type="submit"
            form={formId}
            className={isDanger ? 'button button-danger' : 'button button-primary'}
            aria-disabled={state.busy || undefined}
          >
            {verb}
          </button>
        </>
      }
    >
      <form id={formId} ref={form} className="form-dialog" noValidate onSubmit={submit}>
        <FieldErrorsContext value={errors}>{children}</FieldErrorsContext>
      </form>
      {impact}
      {isConflict && conflict && (
        <ConflictNotice
          conflict={conflict}
          data={state.error as Refusal}
          onDone={() => {
            setState({ busy: false })
            save.current?.focus()
          }}
        />
      )}
      {state.error !== undefined && !(isConflict && conflict) && marked !== 'mended' && (
        <Refused error={state.error} isMarked={marked === 'fields'} />
      )}
      {errorAction?.(state.error)}
      <SavingStatus isBusy={state.busy} />
      <UnsavedGuard when={isDirty && !state.busy} />
      {isLeaving && (
        <LeaveDialog what={state.busy ? 'saving' : 'unsaved'} onStay={() => setLeaving(false)} onLeave={leave} />
      )}
    </Dialog>
  )
}

function CancelButton({ isBusy, isFirst, onClick }: { isBusy: boolean; isFirst: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="button"
      data-first-focus={isFirst || undefined}
      aria-disabled={isBusy || undefined}
      onClick={onClick}
    >
      {t('action.cancel')}
    </button>
  )
}

function Refused({ error, isMarked }: { error: unknown; isMarked: boolean }) {
  const { t } = useTranslation()
  const line = useRef<HTMLParagraphElement>(null)
  const otherwise = error === UNFINISHED_DATE ? 'form.unfinished-date' : 'network.unreachable'
  const reason = error instanceof Refusal ? error.message : t(otherwise)
  // The form may be taller than the screen: scroll to the error, unless a field has the focus.
  useEffect(() => {
    const isAtField = document.activeElement?.matches('[aria-invalid=true]') ?? false
    if (!isMarked && !isAtField) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isMarked])
  return (
    <p className="field-error" role="alert" ref={line}>
      {isMarked ? t('form.check-fields') : reason}
    </p>
  )
}

/** After a refusal the first named field takes the focus. */
function useFirstError(form: { current: HTMLFormElement | null }, error: unknown): void {
  useLayoutEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, error])
}
