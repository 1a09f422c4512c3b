-- Undo of a run, runs by the clock, runs of what has changed, and what a sync took from whom.

alter table directory_syncs
  add column schedule jsonb,
  add column next_run_at timestamptz,
  add column cursor_column text not null default '',
  add column cursor_value text,
  add column responsible_ids uuid[] not null default '{}';
create index directory_syncs_due on directory_syncs (next_run_at) where next_run_at is not null;
comment on column directory_syncs.cursor_value is 'How far the last applied run saw; written with its end, never before.';

alter table directory_sync_runs
  add column mode text not null default 'full' check (mode in ('full', 'incremental')),
  add column cursor_before text,
  add column cursor_after text,
  add column undo jsonb,
  drop constraint directory_sync_runs_state_check,
  add constraint directory_sync_runs_state_check check (state in
    ('reading', 'planning', 'planned', 'held', 'applying', 'done', 'failed', 'cancelled', 'discarded', 'undoing', 'undone'));
drop index directory_sync_runs_one;
create unique index directory_sync_runs_one on directory_sync_runs (source_id)
  where state in ('reading', 'planning', 'applying', 'undoing');
comment on index directory_sync_runs_one is 'One run of a source at a time, over all nodes.';

alter table directory_sync_rows add column undo text;
comment on column directory_sync_rows.undo is 'What became of the row when its run was undone; null: it was not.';

alter table directory_links
  add column linked_at timestamptz,
  add column run_id uuid,
  add column taken jsonb;
comment on column directory_links.run_id is 'The run that linked them.';
comment on column directory_links.taken is 'What sync took from somebody who was missing, as it stood before; null: nothing.';
