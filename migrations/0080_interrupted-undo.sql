-- A run that failed or was cancelled half-way can be undone too; an undo that is stopped gives the run its state back.

alter table directory_sync_runs
  add column state_before_undo text not null default 'done' check (state_before_undo in ('done', 'failed', 'cancelled'));
alter table book_runs
  add column state_before_undo text not null default 'done' check (state_before_undo in ('done', 'failed', 'cancelled'));
