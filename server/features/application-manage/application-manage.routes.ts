import {
  createApplicationCategory,
  deleteApplicationCategory,
  listApplicationCategories,
  moveApplicationCategory,
  updateApplicationCategory,
} from '#shared/contract/application-categories.ts'
import {
  applicationDetails,
  applicationImpact,
  checkApplication,
  createApplication,
  deleteApplications,
  duplicateApplication,
  listApplications,
  removeSecret,
  rotateSecret,
  setApplicationsEnabled,
  undeleteApplication,
  updateApplication,
  uploadApplicationIcon,
} from '#shared/contract/application-manage.ts'
import { previewRelease } from '#shared/contract/application-preview.ts'
import { rulesNamingApplications } from '#shared/contract/rules-naming.ts'
import { checkServiceFiles, importServiceFiles } from '#shared/contract/service-import.ts'
import type { Api } from '../../platform/http/mount.ts'
import { uploadIcon } from '../files/index.ts'
import { checkApplicationInput } from './address-check.service.ts'
import {
  createManagedApplication,
  getApplication,
  loadApplicationDetails,
  managedApplicationsPage,
  updateManagedApplication,
} from './application-manage.service.ts'
import { removeApplicationSecret, rotateApplicationSecret } from './application-secret.service.ts'
import {
  deleteManagedApplications,
  duplicateManagedApplication,
  getImpact,
  listRulesNamingSelected,
  setManagedApplicationsEnabled,
  undeleteManagedApplication,
} from './application-state.service.ts'
import {
  createCategory,
  listAllCategories,
  moveCategory,
  removeCategory,
  updateCategory,
} from './categories.service.ts'
import { previewLogin, type ReleaseRenderers } from './release-preview.service.ts'
import { checkServices, importServices } from './service-import.service.ts'

/** Management of applications by super users. @param releases renders what each protocol would release about a person. */
export function mountApplicationManage(api: Api, releases: ReleaseRenderers): void {
  api.mount(listApplications, (ctx, { query }) => managedApplicationsPage(ctx, query))
  api.mount(applicationDetails, async (ctx, { query }) =>
    loadApplicationDetails(ctx, await getApplication(ctx, query.id)),
  )
  api.mount(createApplication, (ctx, { body }) => createManagedApplication(ctx, body))
  api.mount(updateApplication, (ctx, { query, body }) => updateManagedApplication(ctx, query.id, body))
  api.mount(setApplicationsEnabled, (ctx, { body }) => setManagedApplicationsEnabled(ctx, body.selection, body.enabled))
  api.mount(deleteApplications, (ctx, { body }) => deleteManagedApplications(ctx, body.selection))
  api.mount(rulesNamingApplications, (ctx, { body }) => listRulesNamingSelected(ctx, body.selection))
  api.mount(undeleteApplication, (ctx, { query }) => undeleteManagedApplication(ctx, query.id))
  api.mount(applicationImpact, (ctx, { query }) => getImpact(ctx, query.id))
  api.mount(duplicateApplication, (ctx, { query, body }) => duplicateManagedApplication(ctx, query.id, body))
  api.mount(rotateSecret, (ctx, { query, body }) => rotateApplicationSecret(ctx, query.id, body.version))
  api.mount(removeSecret, (ctx, { query, body }) => removeApplicationSecret(ctx, query.id, body.version))
  api.mount(checkApplication, (ctx, { body }) => checkApplicationInput(ctx, body))
  api.mount(uploadApplicationIcon, (ctx, _input, { request }) => uploadIcon(ctx, request))
  api.mount(previewRelease, (ctx, { query }) => previewLogin(ctx, releases, query))
  mountCategories(api)
  api.mount(checkServiceFiles, (ctx, { body }) => checkServices(ctx, body.files))
  api.mount(importServiceFiles, (ctx, { body }) => importServices(ctx, body.files))
}

function mountCategories(api: Api): void {
  api.mount(listApplicationCategories, (ctx) => listAllCategories(ctx))
  api.mount(createApplicationCategory, (ctx, { body }) => createCategory(ctx, body))
  api.mount(updateApplicationCategory, async (ctx, { query, body }) => {
    await updateCategory(ctx, query, body)
    return null
  })
  api.mount(moveApplicationCategory, async (ctx, { query, body }) => {
    await moveCategory(ctx, query.id, body)
    return null
  })
  api.mount(deleteApplicationCategory, async (ctx, { query }) => {
    await removeCategory(ctx, query.id)
    return null
  })
}
