import { RESOURCES } from '#shared/contract/resources.ts'

/**
 * Actions whose audit records contain the complete target before and after: only these can be rolled back. Others about the same kind (a
 * rotated secret, a withdrawn consent) contain only what they are about.
 */
const COMPLETE_STATE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  application: [
    'application.create',
    'application.update',
    'application.enable',
    'application.disable',
    'application.delete',
    'application.restore',
    'client-secret.remove',
  ],
  'application-category': ['application-category.create', 'application-category.update'],
  'application-grant': ['application-grant.give', 'application-grant.change', 'application-grant.withdraw'],
  organization: ['organization.create', 'organization.update', 'organization.move'],
  role: ['role.create', 'role.update'],
  settings: ['settings.change', 'message-gateway.change'],
  vendor: ['vendor.change'],
  'corporate-mailbox': ['corporate-mailbox.change'],
  ...Object.fromEntries(
    Object.entries(RESOURCES).map(([kind, { actions }]) => [kind, actions.filter((one) => !one.endsWith('.delete'))]),
  ),
}

/** For every kind of target. */
const RESTORING_ACTIONS = ['change.roll-back', 'change.take-back', 'change.go-back']

export const keepsWholeState = (targetKind: string, action: string): boolean =>
  RESTORING_ACTIONS.includes(action) || (COMPLETE_STATE_ACTIONS[targetKind]?.includes(action) ?? false)
