import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useDebouncedText } from '../../ui/use-option-search.ts'

type Props = {
  search: string
  onSearch: (search: string) => void
  selected: string | null
  onChoose: (id: string) => void
  /** Shown while nothing is searched for. */
  children: ReactNode
}

const SHOWN = 50

/** Finds an organisation by name, pinyin or code; results are a flat list with paths. */
export function OrganizationSearch({ search, onSearch, selected, onChoose, children }: Props) {
  const { t, i18n } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const wanted = useDebouncedText(search)
  const found = useQuery({
    queryKey: ['organizations', 'search', wanted, i18n.language],
    queryFn: ({ signal }) =>
      call(searchOrganizations, { query: { search: wanted, pageIndex: 1, pageSize: SHOWN, for: 'look' } }, { signal }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  })
  const isSearching = search.trim() !== ''
  const expectTree = useTreeFocus(field, isSearching)
  const enter = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && isSearching) onSearch('')
    else if (event.key === 'ArrowDown') list.current?.querySelector('button')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="tree-search">
        <input
          ref={field}
          type="search"
          className="input"
          aria-label={t('organization.search')}
          placeholder={t('organization.search')}
          autoComplete="off"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={enter}
        />
      </div>
      <p className="visually-hidden" role="status">
        {isSearching && found.data ? t('organization.found', { count: found.data.total }) : ''}
      </p>
      {!isSearching && children}
      {isSearching && found.isError && <FailedBlock error={found.error} onRetry={() => void found.refetch()} />}
      {isSearching && found.data && (
        <ul className="tree-found" ref={list} onKeyDown={(event) => moveFocus(list.current, event)}>
          {found.data.records.map((one) => (
            <Result
              key={one.id}
              found={one}
              isSelected={one.id === selected}
              onChoose={() => {
                expectTree()
                onChoose(one.id)
              }}
            />
          ))}
          {found.data.records.length === 0 && <li className="muted tree-empty">{t('organization.nothing-found')}</li>}
          {found.data.total > SHOWN && (
            <li className="muted tree-empty">{t('organization.more-found', { count: SHOWN })}</li>
          )}
        </ul>
      )}
    </>
  )
}

/** Choosing a result hides the list: the tree, which shows the choice, takes the focus. */
function useTreeFocus(field: RefObject<HTMLInputElement | null>, isSearching: boolean): () => void {
  const isExpected = useRef(false)
  useEffect(() => {
    if (isSearching || !isExpected.current) return
    isExpected.current = false
    const tree = field.current?.closest('section')?.querySelector<HTMLElement>('[role=tree]')
    ;(tree ?? field.current)?.focus()
  }, [isSearching, field])
  return () => {
    isExpected.current = true
  }
}

type ResultProps = { found: OrganizationFound; isSelected: boolean; onChoose: () => void }

function Result({ found, isSelected, onChoose }: ResultProps) {
  const number = useCount()
  return (
    <li>
      <button type="button" aria-current={isSelected || undefined} onClick={onChoose}>
        <span className="tree-name">{found.name}</span>
        <span className="tree-count">{number(found.people)}</span>
        <span className="tree-path muted">{[...found.path.map(({ name }) => name), found.code].join(' / ')}</span>
      </button>
    </li>
  )
}

function moveFocus(list: HTMLElement | null, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const buttons = Array.from(list?.querySelectorAll('button') ?? [])
  buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus()
}
