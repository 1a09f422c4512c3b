import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplicationCategory } from '#shared/contract/application-categories.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useSortDrag } from '../../ui/use-sort-drag.ts'
import { categoryMoves } from './category-moves.ts'

type Props = {
  categories: readonly ApplicationCategory[]
  nameOf: (one: Pick<ApplicationCategory, 'name' | 'names' | 'parentId'>) => string
  onMove: (id: string, place: { parentId: string | null; after: string | null }) => Promise<void>
  onEdit: (one: ApplicationCategory) => void
  onRemove: (one: ApplicationCategory) => void
}

/** The categories in order, sortable by dragging and by buttons. */
export function CategoryList({ categories, nameOf, onMove, onEdit, onRemove }: Props) {
  const { t } = useTranslation()
  const { up, down, droppedAt } = categoryMoves(categories)
  const list = useRef<HTMLUListElement>(null)
  const pressed = useRef<string | null>(null)
  const dragOf = useSortDrag<ApplicationCategory>({
    keyOf: ({ id }) => id,
    mayDrop: (moved, target, side) => droppedAt(moved, target, side) !== null,
    onDrop: (moved, target, side) => {
      const place = droppedAt(moved, target, side)
      if (place) void onMove(moved.id, place)
    },
  })
  // Moving a row in the DOM takes the focus away from its button.
  useEffect(() => {
    if (categories.length === 0 || pressed.current === null || document.activeElement?.closest('li')) return
    list.current?.querySelector<HTMLElement>(`[data-step="${pressed.current}"]`)?.focus()
  }, [categories])
  const step = (one: ApplicationCategory, icon: 'up' | 'down') => {
    const place = (icon === 'up' ? up : down)(one)
    const label = t(icon === 'up' ? 'reference-data.up' : 'reference-data.down', { name: nameOf(one) })
    return (
      <button
        type="button"
        className="button button-quiet"
        aria-label={label}
        title={label}
        data-step={`${icon} ${one.id}`}
        aria-disabled={place === null || undefined}
        onClick={() => {
          pressed.current = `${icon} ${one.id}`
          if (place) void onMove(one.id, place)
        }}
      >
        <Icon name={icon} />
      </button>
    )
  }
  return (
    <ul className="category-list" ref={list}>
      {categories.map((one) => (
        <li key={one.id} className={one.parentId ? 'category category-below' : 'category'} {...dragOf(one)}>
          <Icon name="grip" />
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('application-category.edit', { name: nameOf(one) })}
            onClick={() => onEdit(one)}
          >
            {nameOf({ ...one, parentId: null })}
          </button>
          <span className="muted">{t('application-category.count', { count: one.applications })}</span>
          <span className="category-verbs">
            {step(one, 'up')}
            {step(one, 'down')}
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('application-category.delete', { name: nameOf(one) })}
              onClick={() => onRemove(one)}
            >
              {t('application-manage.do-delete')}
            </button>
          </span>
        </li>
      ))}
    </ul>
  )
}
