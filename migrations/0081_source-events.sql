-- Address books of WeCom and DingTalk say by themselves that somebody in them has changed.

create table source_callbacks (
  source_id uuid primary key references data_sources on delete cascade,
  secrets text not null,
  set_up_at timestamptz not null,
  echoed_at timestamptz,
  last_event_at timestamptz
);
comment on table source_callbacks is 'Where a vendor tells of changes in the address book that is a data source.';
comment on column source_callbacks.secrets is 'Token and key that the vendor signs and encrypts with, encrypted with SECRET_KEY.';
comment on column source_callbacks.echoed_at is 'When the vendor last tried the address, and it answered.';

create table source_events (
  id bigint generated always as identity primary key,
  source_id uuid not null references source_callbacks on delete cascade,
  digest bytea not null,
  -- Whom to look at again.
  people text[] not null,
  -- Only a run that reads all sees what it is about.
  needs_all boolean not null,
  received_at timestamptz not null,
  unique (source_id, digest)
);
create index source_events_source on source_events (source_id, id);
comment on table source_events is 'That something changed, and whom it concerns: what has become of them is asked of the vendor. Kept for three days.';

alter table directory_syncs add column events_seen bigint not null default 0;
comment on column directory_syncs.events_seen is 'The last of its source''s events whose people a run has read again.';
alter table directory_sync_runs add column events_until bigint;
comment on column directory_sync_runs.events_until is 'Up to which event this run reads again whom they name; null: it reads what its mode says.';
