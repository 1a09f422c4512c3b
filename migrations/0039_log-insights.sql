-- What stands out in the logs: found by a job over the records that are new since its last look, and kept for a while.

create table log_insights (
  id uuid primary key,
  kind text not null check (kind in
    ('spraying', 'failing-account', 'new-range', 'new-device', 'range-hop', 'refusals', 'lost-codes')),
  -- What it is about: of one subject a kind goes on for as long as it is found again.
  subject text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count int not null,
  facts jsonb not null,
  user_id uuid references users on delete cascade,
  application_id uuid references applications on delete cascade,
  told_at timestamptz,
  dismissed_at timestamptz,
  dismissed_by uuid references users on delete set null
);
create index log_insights_page on log_insights (first_at, id);
create index log_insights_subject on log_insights (kind, subject, last_at);
create index log_insights_last on log_insights (last_at);
create index log_insights_user on log_insights (user_id);
create index log_insights_application on log_insights (application_id);
create index log_insights_dismissed_by on log_insights (dismissed_by);
comment on table log_insights is 'What stands out in login_records, visit_records and messages.';
comment on column log_insights.count is 'The number that its sentence says: the highest that was found.';
comment on column log_insights.told_at is 'When administrators were last sent a message of it.';

create table log_insight_progress (
  single boolean primary key default true check (single),
  looked_until timestamptz not null
);
comment on table log_insight_progress is 'Records before looked_until were looked at.';

-- Codes that did not leave are few.
create index messages_lost on messages (finished_at) where state in ('failed', 'expired');
-- Whether another channel of the route brought it.
create index messages_route on messages (route_id) where route_id is not null;
