import { accessRuleRestorer } from './features/access-rules/index.ts'
import { bookSyncRestorer } from './features/address-books/index.ts'
import { grantRestorer } from './features/application-grants/index.ts'
import { applicationCategoryRestorer, applicationRestorer } from './features/application-manage/index.ts'
import { mailboxRestorer } from './features/corporate-mailbox/index.ts'
import { dataSourceRestorer } from './features/data-sources/index.ts'
import { directorySyncRestorer } from './features/directory-syncs/index.ts'
import { announcementRestorer } from './features/home-page/index.ts'
import { ipRangeRestorer } from './features/ip-ranges/index.ts'
import { languageRestorer, textRestorer } from './features/languages/index.ts'
import { logStreamRestorer } from './features/log-streams/index.ts'
import { organizationRestorer } from './features/organizations/index.ts'
import type { Restorer } from './features/records/index.ts'
import { roleRestorer } from './features/roles/index.ts'
import { scimClientRestorer } from './features/scim-clients/index.ts'
import { settingsRestorer } from './features/settings/index.ts'
import { themeRestorer } from './features/themes/index.ts'
import { vendorRestorer } from './features/vendors/index.ts'

/** How each kind of target is rolled back. */
export const RESTORERS: Readonly<Record<string, Restorer>> = {
  'access-rule': accessRuleRestorer,
  announcement: announcementRestorer,
  application: applicationRestorer,
  'application-category': applicationCategoryRestorer,
  'application-grant': grantRestorer,
  'corporate-mailbox': mailboxRestorer,
  'data-source': dataSourceRestorer,
  'directory-sync': directorySyncRestorer,
  'book-sync': bookSyncRestorer,
  'ip-range': ipRangeRestorer,
  language: languageRestorer,
  'log-stream': logStreamRestorer,
  organization: organizationRestorer,
  role: roleRestorer,
  'scim-client': scimClientRestorer,
  settings: settingsRestorer,
  text: textRestorer,
  vendor: vendorRestorer,
  theme: themeRestorer,
}
