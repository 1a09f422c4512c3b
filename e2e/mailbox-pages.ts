import { expect, type Page } from '@playwright/test'
import type { BookRun, BookSync } from '#shared/contract/address-books.ts'
import type { SyncRow } from '#shared/contract/sync-runs.ts'
import { withPayload } from './hostile-names.ts'
import type { PageState } from './page-state.ts'

const SYNC = '00000000-0000-4000-8000-00000000cccc'
const NOW = new Date().toISOString()
const person = (at: number, account: string) => ({
  id: `00000000-0000-4000-8000-00000000000${at}`,
  account,
  name: withPayload('Han Meimei', at),
})

const RUN: BookRun = {
  ...{ id: SYNC, syncId: SYNC, syncName: withPayload('Mailboxes', 0), state: 'held', dryRun: true, rowsRead: 1204 },
  counts: { new: 1, changed: 1, missing: 1, bad: 1, unchanged: 1200 },
  ...{ toWrite: 2, tried: 0, progress: null },
  undo: null,
  heldFor: (['first-run', 'missing', 'created'] as const).map((kind) => ({
    ...{ kind, field: null, count: 60, of: 1204, threshold: kind === 'first-run' ? null : 5 },
  })),
  ...{ problem: null, reason: null, startedBy: person(1, 'root').name, decidedBy: null },
  ...{ undoneBy: null, undoReason: null },
  ...{ startedAt: NOW, finishedAt: NOW },
}

const sync = (mode: BookSync['mode']): BookSync => ({
  ...{ id: SYNC, version: 1, name: withPayload('Mailboxes', 0), vendor: 'exmail', mode, application: 'ww0123456789' },
  ...{ secret: '******', host: '', coremail: null, roots: [{ organizationId: SYNC, departmentId: 1 }] },
  ...{ rootNames: [withPayload('Physics', 2)], categoryIds: [], categoryNames: [], fields: ['mobile'] },
  ...{ leavers: 'disable', thresholds: { missing: 5, changed: 20, created: 20, field: 10, bad: 10, rows: 80 } },
  ...{ responsibleIds: [], responsible: [], schedule: null, note: '', nextRunAt: null, updatedAt: NOW },
  ...{
    linkedPeople: 1143,
    linkedDepartments: 0,
    lastRun: { id: SYNC, state: 'held', startedAt: NOW, toWrite: 2, tried: 0, progress: null },
  },
})

function rows(): SyncRow[] {
  const row = { department: null, newName: null, isApplied: false, undo: null }
  return (['new', 'changed', 'missing', 'bad'] as const).map((outcome, at) => ({
    ...{ ...row, row: at + 1, externalId: `person-${at}@example.edu`, outcome, person: person(at, `person-${at}`) },
    changes:
      outcome === 'changed' ? [{ field: 'name', values: { before: 'Person', after: withPayload('Person', 4) } }] : [],
    problems: outcome === 'bad' ? [withPayload('No address rule', 3)] : [],
  }))
}

/** Answers as a school with mailboxes at Exmail would, on pages whose address has the marker. */
async function answer(page: Page, marker: string, syncs: BookSync[]): Promise<void> {
  const say = (url: string, data: (called: URL) => unknown) =>
    page.route(url, (route) =>
      // Only for this address: later pages get real data.
      page.url().includes(marker)
        ? route.fulfill({ json: { state: 200, message: '', data: data(new URL(route.request().url())) } })
        : route.fallback(),
    )
  await say('**/corporate_mailbox/details/**', () => ({
    ...{ version: 1, enabled: true, rules: [] },
    settings: { driver: 'exmail', corpId: 'ww0123456789' },
  }))
  await say('**/book_sync/query/**', ({ searchParams }) => {
    const records = syncs.filter(({ vendor }) => vendor === searchParams.get('vendor'))
    return { total: records.length, isMore: false, pageIndex: 1, pageSize: 10, records }
  })
  await say('**/book_sync/*/details/**', () => syncs[0])
  await say('**/book_sync_run/query/**', () => ({ records: [RUN] }))
  await say('**/book_sync_run/*/details/**', () => ({ run: RUN, rows: rows() }))
}

/** A page of provisioning. */
const provisioning = (
  name: string,
  path: string,
  syncs: BookSync[],
  ready: (page: Page) => Promise<void>,
): PageState => ({
  name: `mailbox provisioning, ${name}`,
  as: 'root',
  async go(page) {
    await answer(page, path, syncs)
    await page.goto(path)
    await ready(page)
  },
})

/** The pages about the creation of mailboxes. */
export const MAILBOX_PAGE_STATES: PageState[] = [
  provisioning('on', '/auth_web/manage/email?tab=provisioning&state=on', [sync('on')], async (page) =>
    expect(page.locator('.vendor-fields .fact-list')).toBeVisible(),
  ),
  provisioning('being set up', '/auth_web/manage/email?tab=provisioning&state=new', [], async (page) => {
    await page.locator('.vendor-fields .button-primary').click()
    await expect(page.locator('dialog input[name=application]')).toBeVisible()
  }),
  provisioning('a run in preview', `/auth_web/manage/exterPhone-sync/${SYNC}`, [sync('preview')], async (page) =>
    expect(page.locator('.sync-run tbody tr')).toHaveCount(4),
  ),
]
