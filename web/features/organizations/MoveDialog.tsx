import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listOrganizationChildren,
  moveOrganization,
  type OrganizationDetails,
  type OrganizationNode,
  organizationDetails,
} from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useOwnedFields } from '../../ui/FieldOwners.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'
import type { PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { DoneHandler } from './done-handler.types.ts'
import { MoveEffects } from './MoveEffects.tsx'
import { useSeenOrganization } from './use-seen-organization.ts'
import type { Drop } from './use-tree-drag.ts'

type TreePosition = { parentId: string | null; after?: string | null | undefined }

/** Moves an organisation, with undo, and reveals its new place. */
function useMove({ id, name, version: opened }: OrganizationNode, onDone: DoneHandler) {
  const { t } = useTranslation()
  const inSeenVersion = useSeenOrganization(opened)
  return async (place: TreePosition) => {
    const { organization, before } = await inSeenVersion((version) =>
      call(moveOrganization, { query: { id }, body: { version, ...place } }),
    )
    const undo = () => call(moveOrganization, { query: { id }, body: { version: organization.version, ...before } })
    onDone(t('organization.moved', { name }), id, undo)
  }
}

type DropProps = { drop: Drop; onDone: DoneHandler; onClose: () => void }

/** Confirms a drop. */
export function DropDialog({ drop, onDone, onClose }: DropProps) {
  const { t } = useTranslation()
  const { moved, parent, after } = drop
  const move = useMove(moved, onDone)
  const isUnmoved = (parent?.id ?? null) === moved.parentId
  const place = { parentId: parent?.id ?? null, ...(after !== undefined && { after }) }
  const names = { name: moved.name, target: parent?.name ?? t('organization.top') }
  return (
    <ConfirmDialog
      title={t(isUnmoved ? 'organization.reorder-title' : 'organization.drop-title', names)}
      verb={t('organization.move')}
      onConfirm={() => move(place)}
      onClose={onClose}
    >
      <p>{t(isUnmoved ? 'organization.reorder-text' : 'organization.drop-text', { ...names, count: moved.people })}</p>
      <MoveEffects id={moved.id} from={moved.parentId} to={parent?.id ?? null} />
    </ConfirmDialog>
  )
}

/** Siblings offered as positions; for more, use drag and drop. */
const MAX_OFFERED = 100

type MoveProps = {
  node: OrganizationNode
  parent: OrganizationNode | undefined
  onDone: DoneHandler
  onClose: () => void
}

export function MoveDialog(props: MoveProps) {
  const { id } = props.node
  const { data } = useQuery({
    queryKey: ['organizations', 'details', id],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  // A sync may own its place.
  return data ? <LoadedMoveDialog {...props} owners={data.fieldOwners} /> : null
}

type LoadedProps = MoveProps & { owners: OrganizationDetails['fieldOwners'] }

function LoadedMoveDialog({ node, parent, owners, onDone, onClose }: LoadedProps) {
  const { t, i18n } = useTranslation()
  const move = useMove(node, onDone)
  const now = parent ? [{ id: parent.id, label: parent.name }] : []
  const [target, setTarget] = useState<readonly PickerOption[]>(now)
  const [place, setPlace] = useState('last')
  const parentId = target[0]?.id ?? null
  const { data: below } = useQuery({
    queryKey: ['organizations', 'children', parentId, i18n.language],
    queryFn: ({ signal }) =>
      call(
        listOrganizationChildren,
        { query: { pageIndex: 1, pageSize: MAX_OFFERED, ...(parentId && { parentId }) } },
        { signal },
      ),
    staleTime: 0,
  })
  const closedBy = useOwnedFields(owners)
  const placedBy = closedBy('parentId')
  const siblings = (below?.records ?? []).filter(({ id }) => id !== node.id)
  const submit = () => {
    const after = place === 'first' ? null : place === 'last' ? undefined : place
    return move({ parentId, ...(after !== undefined && { after }) })
  }
  return (
    <FormDialog
      title={t('organization.move-title', { name: node.name })}
      verb={t('organization.move')}
      isDirty={parentId !== (parent?.id ?? null) || place !== 'last'}
      onSubmit={submit}
      onClose={onClose}
    >
      {placedBy.disabled ? (
        <TextField
          label={t('organization.parent')}
          value={parent?.name ?? t('organization.top')}
          {...placedBy}
          onChange={() => {}}
        />
      ) : (
        <OrganizationPicker
          label={t('organization.new-parent')}
          name="parentId"
          outside={node.id}
          hint={t('organization.new-parent-hint')}
          value={target}
          onChange={(value) => {
            setTarget(value)
            setPlace('last')
          }}
        />
      )}
      <SelectField
        label={t('organization.place')}
        name="after"
        value={place}
        options={[
          { value: 'last', label: t('organization.place-last') },
          { value: 'first', label: t('organization.place-first') },
          ...siblings.map(({ id, name }) => ({ value: id, label: t('organization.place-after', { name }) })),
        ]}
        {...closedBy('position')}
        onChange={setPlace}
      />
      <MoveEffects id={node.id} from={node.parentId} to={parentId} />
    </FormDialog>
  )
}
