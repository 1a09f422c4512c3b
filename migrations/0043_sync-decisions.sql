-- People whom a sync cannot place by itself wait for a decision, and whoever is responsible is told of runs that wait.

create table directory_matches (
  sync_id uuid not null references directory_syncs on delete cascade,
  external_id text not null,
  kind text not null check (kind in ('several-people', 'account-taken', 'other-account', 'linked-already', 'renamed', 'deleted-here')),
  -- The account that the source gives them.
  account text not null,
  -- What the source says of them, by field; sealed.
  fields text not null,
  user_ids uuid[] not null,
  seen_at timestamptz not null,
  -- What later runs go by; null: nobody has decided.
  decision text check (decision in ('new', 'keep', 'ignore')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  primary key (sync_id, external_id)
);
comment on table directory_matches is 'People of a source who could be somebody here, or whose number changed: a person decides.';
create index directory_matches_open on directory_matches (sync_id, external_id) where decision is null;

alter table directory_sync_rows
  drop constraint directory_sync_rows_outcome_check,
  add constraint directory_sync_rows_outcome_check check (outcome in
    ('new', 'changed', 'moved', 'unchanged', 'bad', 'conflict', 'ignored', 'protected', 'missing', 'leaver', 'changed-since'));
