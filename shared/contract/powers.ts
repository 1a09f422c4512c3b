import { z } from 'zod'

/**
 * The permissions of an administrator of some organisations; reading is always allowed. Each has the message
 * `power.<name>`. `edit` create and change people and sub-organisations · `unlock` lift locks and freezes · `reset`
 * reset accounts · `import` and export lists · `authorise` grant applications.
 */
export const POWERS = ['edit', 'unlock', 'reset', 'import', 'authorise'] as const
export const Power = z.enum(POWERS)
export type Power = z.infer<typeof Power>
