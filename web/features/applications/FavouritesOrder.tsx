import { useState } from 'react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { MyApplication } from '#shared/contract/applications.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { usePointerSort } from '../../ui/use-pointer-sort.ts'
import { pinApp, unpinApp } from './own-home-page.ts'
import './favourites-order.css'

type Props = { apps: readonly MyApplication[]; label: string }

/** The favourites, sortable by dragging (mouse, finger), by keys on the handle, or by buttons. */
export function FavouritesOrder({ apps, label }: Props) {
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  const ids = apps.map(({ appId }) => appId)
  const nameOf = (id: string) => apps.find(({ appId }) => appId === id)?.name ?? id
  /** @param at its new position among the others. */
  const move = (appId: string, at: number) => {
    const others = ids.filter((id) => id !== appId)
    void pinApp(appId, others[at] ?? null)
    setSaid(t('my-apps.moved', { name: nameOf(appId), place: at + 1, count: ids.length }))
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': nameOf(String(key)) })),
    onReorder: ({ keys, target }) => {
      const [moved] = [...keys].map(String)
      if (moved === undefined) return
      const at = ids.filter((id) => id !== moved).indexOf(String(target.key))
      move(moved, target.dropPosition === 'before' ? at : at + 1)
    },
  })
  const touch = usePointerSort({ keys: ids, handle: '.favourite-grip', isTouchOnly: true, onMove: move })
  return (
    <>
      <p className="muted">{t('my-apps.arrange-hint')}</p>
      <div {...touch}>
        <GridList
          className="favourites-order"
          aria-label={label}
          items={apps.map((app) => ({ ...app, id: app.appId }))}
          dragAndDropHooks={dragAndDropHooks}
        >
          {(app) => {
            const at = ids.indexOf(app.appId)
            const { name } = app
            return (
              <GridListItem className="card favourite-row" textValue={name}>
                {/* The button itself ignores pointers. */}
                <span className="favourite-grip">
                  <Button slot="drag" className="button button-quiet favourite-button">
                    <Icon name="grip" />
                  </Button>
                </span>
                <AppIcon app={app} />
                <span className="app-name">{name}</span>
                <Button
                  className="button button-quiet favourite-button"
                  aria-label={t('my-apps.earlier', { name })}
                  isDisabled={at === 0}
                  onPress={() => move(app.appId, at - 1)}
                >
                  <Icon name="up" />
                </Button>
                <Button
                  className="button button-quiet favourite-button"
                  aria-label={t('my-apps.later', { name })}
                  isDisabled={at === ids.length - 1}
                  onPress={() => move(app.appId, at + 1)}
                >
                  <Icon name="down" />
                </Button>
                <Button
                  className="button button-quiet favourite-button"
                  aria-label={t('my-apps.unpin', { name })}
                  onPress={() => void unpinApp(app.appId)}
                >
                  <Icon name="close" />
                </Button>
              </GridListItem>
            )
          }}
        </GridList>
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  )
}
