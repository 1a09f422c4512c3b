-- Syncs into address books run by the clock, and those who are responsible are told.

alter table book_syncs
  add column schedule jsonb,
  add column next_run_at timestamptz,
  add column responsible_ids uuid[] not null default '{}';
create index book_syncs_due on book_syncs (next_run_at) where next_run_at is not null;
comment on column book_syncs.responsible_ids is 'Super users who are told when a run waits or has failed.';
