import { dataSources, testDataSource, uploadSourceFile } from '#shared/contract/data-sources.ts'
import type { Api } from '../../platform/http/mount.ts'
import { removeSource, sourcesService } from './data-sources.service.ts'
import { testSource } from './source-test.service.ts'
import { uploadFile } from './upload.service.ts'

export function mountDataSources(api: Api): void {
  api.mount(dataSources.list, (ctx, { query }) => sourcesService.page(ctx, query))
  api.mount(dataSources.details, (ctx, { query }) => sourcesService.get(ctx, query.id))
  api.mount(dataSources.create, (ctx, { body }) => sourcesService.create(ctx, body))
  api.mount(dataSources.update, (ctx, { query, body }) => sourcesService.update(ctx, query.id, body))
  api.mount(dataSources.remove, (ctx, { query, body }) => removeSource(ctx, query.id, body.version))
  api.mount(testDataSource, (ctx, { body }) => testSource(ctx, body))
  api.mount(uploadSourceFile, (ctx, { query }, { request }) => uploadFile(ctx, query, request))
}
