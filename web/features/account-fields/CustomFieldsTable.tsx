import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredFieldRules } from '#shared/contract/account-fields.ts'
import { type CustomField, MAX_CUSTOM_FIELDS } from '#shared/contract/custom-fields.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { CustomFieldDialog } from './CustomFieldDialog.tsx'
import { customOf, kindLabel, nameOf, saveCustomFields } from './custom-fields.ts'
import { DeleteValuesDialog } from './DeleteValuesDialog.tsx'
import { ruleWord } from './field-rules.ts'
import { RemoveCustomFieldDialog } from './RemoveCustomFieldDialog.tsx'

type Opened = { field: CustomField | null; verb: 'edit' | 'remove' | 'delete' }

type Props = {
  stored: StoredFieldRules
  /** Shows the progress of a background task. */
  task: (id: string, isOpen: boolean, onClose: () => void) => ReactNode
}

/** The custom fields, in the order in which people see them. */
export function CustomFieldsTable({ stored, task }: Props) {
  const { t } = useTranslation()
  // Followed to its end even when its dialog is closed: then the field is gone.
  const [running, setRunning] = useState<{ id: string; isOpen: boolean } | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const fields = customOf(stored)
  const isByFile = stored.setByFile.includes('custom')
  const fixedId = useId()
  const [said, setSaid] = useState('')
  const { list, notePress } = useKeptFocus<HTMLTableSectionElement>(rowsOf(fields))
  const isSaving = useRef(false)
  const save = async (next: readonly CustomField[], step: string | null = null): Promise<boolean> => {
    // Of two quick presses the second would save with the version before the first.
    if (isSaving.current) return false
    isSaving.current = true
    notePress(step)
    try {
      await saveCustomFields(stored.version, next)
      return true
    } catch (error) {
      notePress(null)
      notifyFailure(error)
      return false
    } finally {
      isSaving.current = false
    }
  }
  const move = async (field: CustomField, at: number, step: string) => {
    const isSaved = await save(fields.filter((one) => one !== field).toSpliced(at, 0, field), step)
    if (isSaved) setSaid(t('custom-field.moved', { name: nameOf(field), place: at + 1, count: fields.length }))
  }
  return (
    <div className="custom-fields">
      <p className="muted">{t('custom-field.explain', { count: MAX_CUSTOM_FIELDS })}</p>
      {isByFile && <SetByFile id={fixedId} />}
      {fields.length === 0 && <p>{t('custom-field.none')}</p>}
      {fields.length > 0 && (
        <div className="field-rules-scroll">
          <table className="data-table" aria-label={t('custom-field.title')}>
            <thead>
              <tr>
                {(['name', 'key', 'kind', 'required', 'editableBy', 'visibleTo'] as const).map((name) => (
                  <th key={name} scope="col">
                    {t(`custom-field.${name}`)}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{t('field-rule.change')}</span>
                </th>
              </tr>
            </thead>
            <tbody ref={list}>
              {fields.map((field, at) => (
                <tr key={field.key} className="data-row">
                  <th scope="row">
                    {nameOf(field)}
                    {field.isRemoved && <span className="tag">{t('custom-field.removed')}</span>}
                  </th>
                  <td>
                    <code>{field.key}</code>
                  </td>
                  <td>{kindLabel(field.kind)}</td>
                  <td>{ruleWord('required', field.required)}</td>
                  <td>{ruleWord('editableBy', field.editableBy)}</td>
                  <td>{ruleWord('visibleTo', field.visibleTo)}</td>
                  <td className="custom-field-verbs">
                    <RowVerbs
                      {...{ field, at, isByFile }}
                      isLast={at === fields.length - 1}
                      onMove={(by, step) => void move(field, at + by, step)}
                      onRestore={() => void save(withRestored(fields, field.key), changeStep(field.key))}
                      onOpen={(verb) => setOpened({ field, verb })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div>
        <button
          type="button"
          className="button"
          disabled={!isByFile && fields.length >= MAX_CUSTOM_FIELDS}
          aria-disabled={isByFile || undefined}
          aria-describedby={isByFile ? fixedId : undefined}
          onClick={() => !isByFile && setOpened({ field: null, verb: 'edit' })}
        >
          {t('custom-field.new')}
        </button>
      </div>
      {opened?.verb === 'edit' && (
        <CustomFieldDialog edited={opened.field} stored={stored} onClose={() => setOpened(null)} />
      )}
      {opened?.verb === 'remove' && opened.field && (
        <RemoveCustomFieldDialog field={opened.field} stored={stored} onClose={() => setOpened(null)} />
      )}
      {opened?.verb === 'delete' && opened.field && (
        <DeleteValuesDialog
          field={opened.field}
          onStarted={(id) => setRunning({ id, isOpen: true })}
          onClose={() => setOpened(null)}
        />
      )}
      {running && task(running.id, running.isOpen, () => setRunning({ ...running, isOpen: false }))}
    </div>
  )
}

/** What determines the buttons of each row. */
const rowsOf = (fields: readonly CustomField[]): string =>
  fields.map(({ key, isRemoved }) => `${key} ${isRemoved}`).join()

const withRestored = (fields: readonly CustomField[], restored: string): CustomField[] =>
  fields.map((one) => (one.key === restored ? { ...one, isRemoved: false } : one))

/** Of the button that a restored field has instead of the one that restored it. */
const changeStep = (key: string): string => `change ${key}`

type VerbProps = {
  field: CustomField
  at: number
  isByFile: boolean
  isLast: boolean
  /** @param step of the pressed button. */
  onMove: (by: number, step: string) => void
  onRestore: () => void
  onOpen: (verb: Opened['verb']) => void
}

function RowVerbs({ field, at, isByFile, isLast, onMove, onRestore, onOpen }: VerbProps) {
  const { t } = useTranslation()
  const name = nameOf(field)
  if (isByFile) return null
  if (field.isRemoved)
    return (
      <>
        <Verb label={t('custom-field.restore-of', { name })} onClick={onRestore}>
          {t('custom-field.restore')}
        </Verb>
        <Verb label={t('custom-field.delete-of', { name })} onClick={() => onOpen('delete')}>
          {t('custom-field.delete')}…
        </Verb>
      </>
    )
  return (
    <>
      {([-1, 1] as const).map((by) => {
        const way = by < 0 ? 'up' : 'down'
        const step = `${way} ${field.key}`
        return (
          <Verb
            key={way}
            label={t(`custom-field.${way}`, { name })}
            isEnd={by < 0 ? at === 0 : isLast}
            step={step}
            onClick={() => onMove(by, step)}
          >
            <Icon name={way} />
          </Verb>
        )
      })}
      <Verb
        label={t('field-rule.change-of', { field: name })}
        step={changeStep(field.key)}
        onClick={() => onOpen('edit')}
      >
        {t('field-rule.change')}
      </Verb>
      <Verb label={t('custom-field.remove-of', { name })} onClick={() => onOpen('remove')}>
        {t('custom-field.remove')}
      </Verb>
    </>
  )
}

type OneVerb = {
  label: string
  /** It can't move further; a disabled button would lose the focus of whoever moved it there. */
  isEnd?: boolean
  step?: string
  onClick: () => void
  children: ReactNode
}

function Verb({ label, isEnd = false, step, onClick, children }: OneVerb) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={label}
      aria-disabled={isEnd || undefined}
      data-step={step}
      onClick={() => !isEnd && onClick()}
    >
      {children}
    </button>
  )
}
