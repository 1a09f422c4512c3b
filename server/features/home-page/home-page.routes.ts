import { announcements } from '#shared/contract/announcements.ts'
import { markAnnouncementsRead, placeFavourite, queryOwnHomePage, removeFavourite } from '#shared/contract/home-page.ts'
import type { Api } from '../../platform/http/mount.ts'
import { announcementsService } from './announcements.service.ts'
import {
  describeOwnHomePage,
  markOwnAnnouncementsRead,
  placeOwnFavourite,
  removeOwnFavourite,
} from './home-page.service.ts'

export function mountHomePage(api: Api): void {
  api.mount(queryOwnHomePage, (ctx, { query }, { request }) => describeOwnHomePage(ctx, request, query.preview))
  api.mount(placeFavourite, (ctx, { body }) => placeOwnFavourite(ctx, body))
  api.mount(removeFavourite, (ctx, { body }) => removeOwnFavourite(ctx, body.appId))
  api.mount(markAnnouncementsRead, (ctx, { body }) => markOwnAnnouncementsRead(ctx, body.ids))
  api.mount(announcements.list, (ctx, { query }) => announcementsService.page(ctx, query))
  api.mount(announcements.details, (ctx, { query }) => announcementsService.get(ctx, query.id))
  api.mount(announcements.create, (ctx, { body }) => announcementsService.create(ctx, body))
  api.mount(announcements.update, (ctx, { query, body }) => announcementsService.update(ctx, query.id, body))
  api.mount(announcements.remove, (ctx, { query, body }) => announcementsService.remove(ctx, query.id, body.version))
}
