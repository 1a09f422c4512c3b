import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_FOUND } from '#shared/contract/global-search.ts'
import { Icon } from '../ui/Icon.tsx'
import { ModalNotices } from '../ui/Notices.tsx'
import { Option } from '../ui/Option.tsx'
import { useCombobox } from '../ui/use-combobox.ts'
import { type SearchResult, type SearchResults, useSearchResults } from './use-search-results.ts'
import './global-search.css'

/** On a Mac the shortcut uses Command. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Looks like a field and opens the search; so does Ctrl-K, anywhere in the back office. */
export function GlobalSearch() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK'
      if (!isOurs) return
      event.preventDefault()
      // A modal dialog has to be answered first.
      if (!document.querySelector('dialog:modal:not(.drawer)')) setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="input search-opener"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={t('global-search.field')}
        title={t('global-search.field')}
        data-keys={isMac ? '⌘ K' : 'Ctrl K'}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>{t('global-search.short')}</span>
      </button>
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const ref = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [isComposing, setComposing] = useState(false)
  const goals = useSearchResults(text, isComposing)
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const all = goals.groups.flatMap((group) => group.goals)
  const take = (goal: SearchResult | undefined) => {
    if (!goal) return
    onClose()
    void navigate({ to: goal.to, search: () => goal.search ?? {} })
  }
  const combobox = useCombobox({
    count: all.length,
    isOpen: true,
    // Esc closes everything.
    onOpen: (wanted) => !wanted && onClose(),
    onTake: (at) => take(all[at]),
  })
  return (
    <dialog
      ref={ref}
      className="dialog search-dialog"
      aria-label={t('global-search.title')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="search-field">
        <Icon name="search" />
        <input
          {...combobox.field}
          type="text"
          aria-label={t('global-search.field')}
          placeholder={t('global-search.field')}
          value={text}
          maxLength={100}
          onChange={(event) => {
            setText(event.target.value)
            combobox.first()
          }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
        />
        <button type="button" className="button button-quiet" aria-label={t('action.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <ResultList goals={goals} active={all[combobox.at]} {...combobox} onTake={take} />
      <p className="muted search-keys">{t('global-search.keys')}</p>
      <ModalNotices />
    </dialog>
  )
}

type ListProps = {
  goals: SearchResults
  active: SearchResult | undefined
  listId: string
  idOf: (at: number) => string
  onTake: (goal: SearchResult) => void
}

function ResultList({ goals, active, listId, idOf, onTake }: ListProps) {
  const { t } = useTranslation()
  const { groups, state, search } = goals
  const headingOf = ({ title, isCut }: SearchResults['groups'][number]) =>
    isCut ? t('global-search.first', { list: title, count: MAX_FOUND }) : title
  const first = new Map(groups.map((group, at) => [group, groups.slice(0, at).flatMap((one) => one.goals).length]))
  return (
    <div className="search-found">
      <div role="listbox" id={listId} tabIndex={-1} aria-label={t('global-search.title')} aria-busy={state === 'busy'}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a list of options.
          <div key={group.title} role="group" aria-label={headingOf(group)}>
            <div className="menu-heading" aria-hidden="true">
              {headingOf(group)}
            </div>
            {group.goals.map((goal, at) => (
              <Option
                key={goal.key}
                id={idOf((first.get(group) ?? 0) + at)}
                label={goal.label}
                hint={goal.hint}
                icon={goal.icon}
                isActive={goal === active}
                isSelected={goal === active}
                onTake={() => onTake(goal)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="muted search-line" role="status">
        {state === 'failed' && t('network.unreachable')}
        {state === 'busy' && groups.length === 0 && t('picker.searching')}
        {state === 'found' && groups.length === 0 && t('global-search.none', { search })}
        {state === 'found' && groups.length > 0 && (
          <span className="visually-hidden">
            {groups.some(({ isCut }) => isCut)
              ? t('global-search.cut')
              : t('picker.found', { count: groups.flatMap((group) => group.goals).length })}
          </span>
        )}
      </p>
    </div>
  )
}
