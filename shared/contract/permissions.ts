import { z } from 'zod'

/**
 * The permissions of an administrator of some organisations; reading is always allowed. Each has the message
 * `permission.<name>`. `edit` create and change people and sub-organisations · `unlock` lift locks and freezes · `reset`
 * reset accounts · `import` and export lists · `authorise` grant applications.
 */
export const PERMISSIONS = ['edit', 'unlock', 'reset', 'import', 'authorise'] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.infer<typeof Permission>
