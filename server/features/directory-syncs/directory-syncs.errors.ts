import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'directory-sync.name-taken': 409,
  'directory-sync.no-source': 400,
  'directory-sync.no-account': 400,
  'directory-sync.no-table': 400,
  'directory-sync.no-key': 400,
  'directory-sync.no-departments': 400,
  'directory-sync.no-department-name': 400,
  'directory-sync.no-root': 400,
  'directory-sync.no-leaver-department': 400,
  'directory-sync.running': 409,
  'directory-sync.no-run': 404,
  'directory-sync.not-waiting': 409,
  'directory-sync.not-done': 409,
  'directory-sync.paused': 409,
  'directory-sync.bad-schedule': 400,
  'directory-sync.bad-zone': 400,
  'directory-sync.changed': 409,
})
