export { findInstitutionFileKeys, paintLogo, storeLogo } from './institution.service.ts'
export { mountSystemSettings } from './system-settings.routes.ts'
