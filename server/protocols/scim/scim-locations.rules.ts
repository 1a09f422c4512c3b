import { SCIM_PATH } from '../../features/scim-clients/index.ts'
import type { Platform } from '../../platform/platform.ts'

export const baseOf = ({ config }: Pick<Platform, 'config'>): string => config.publicUrl + SCIM_PATH
export const userLocation = (base: string, id: string): string => `${base}/Users/${id}`
export const groupLocation = (base: string, id: string): string => `${base}/Groups/${id}`
