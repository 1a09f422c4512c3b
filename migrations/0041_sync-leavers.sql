-- Leavers: whoever is missing can be frozen, disabled, get an end of validity or another department, and gets back what was taken.

update directory_links set taken = '{"before": {"enabled": true}, "after": {"enabled": false}}' where taken_version is not null;
alter table directory_links drop column taken_version;
comment on column directory_links.taken is
  'The fields that sync took from somebody who was missing, before and after; null: nothing. Empty once somebody here has decided otherwise.';

update directory_syncs set leavers = leavers || '{"organizationId": null, "graceDays": 30}'::jsonb;

alter table directory_sync_rows add column taken jsonb;
comment on column directory_sync_rows.taken is 'What the row gave back to somebody who was missing before: what an undo takes again.';
