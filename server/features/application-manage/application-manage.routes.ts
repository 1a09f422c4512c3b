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
import { checkServiceFiles, importServiceFiles } from '#shared/contract/service-import.ts'
import type { Api } from '../../platform/http/mount.ts'
import { uploadIcon } from '../files/index.ts'
import { checkApplicationInput } from './address-check.ts'
import {
  createManaged,
  details,
  findApplication,
  managedApplications,
  updateManaged,
} from './application-manage.service.ts'
import { newSecret, withoutSecret } from './application-secret.service.ts'
import { deleteMany, duplicate, impact, setEnabled, undelete } from './application-state.service.ts'
import {
  applicationCategories,
  createCategory,
  moveCategory,
  removeCategory,
  updateCategory,
} from './categories.service.ts'
import { preview, type Releases } from './preview.service.ts'
import { checkServices, importServices } from './service-import.service.ts'

/** Applications as super users manage them. @param releases what each protocol would tell of a person. */
export function mountApplicationManage(api: Api, releases: Releases): void {
  api.mount(listApplications, (ctx, { query }) => managedApplications(ctx, query))
  api.mount(applicationDetails, async (ctx, { query }) => details(ctx, await findApplication(ctx, query.id)))
  api.mount(createApplication, (ctx, { body }) => createManaged(ctx, body))
  api.mount(updateApplication, (ctx, { query, body }) => updateManaged(ctx, query.id, body))
  api.mount(setApplicationsEnabled, (ctx, { body }) => setEnabled(ctx, body.selection, body.enabled))
  api.mount(deleteApplications, (ctx, { body }) => deleteMany(ctx, body.selection))
  api.mount(undeleteApplication, (ctx, { query }) => undelete(ctx, query.id))
  api.mount(applicationImpact, (ctx, { query }) => impact(ctx, query.id))
  api.mount(duplicateApplication, (ctx, { query, body }) => duplicate(ctx, query.id, body))
  api.mount(rotateSecret, (ctx, { query, body }) => newSecret(ctx, query.id, body.version))
  api.mount(removeSecret, (ctx, { query, body }) => withoutSecret(ctx, query.id, body.version))
  api.mount(checkApplication, (ctx, { body }) => checkApplicationInput(ctx, body))
  api.mount(uploadApplicationIcon, (ctx, _input, { request }) => uploadIcon(ctx, request))
  api.mount(previewRelease, (ctx, { query }) => preview(ctx, releases, query))
  mountCategories(api)
  api.mount(checkServiceFiles, (ctx, { body }) => checkServices(ctx, body.files))
  api.mount(importServiceFiles, (ctx, { body }) => importServices(ctx, body.files))
}

function mountCategories(api: Api): void {
  api.mount(listApplicationCategories, (ctx) => applicationCategories(ctx))
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
