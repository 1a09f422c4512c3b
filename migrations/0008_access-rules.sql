-- Access rules: who, where, when and which applications, and what then. Those that the login configuration holds stay there.

create table access_rules (
  id uuid primary key,
  name text not null unique,
  names jsonb not null default '{}',
  mode text not null check (mode in ('off', 'report', 'on')),
  outcome text not null check (outcome in ('refuse', 'second-factor', 'captcha', 'notify')),
  conditions jsonb not null,
  message text not null default '',
  messages jsonb not null default '{}',
  called jsonb not null default '{}',
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table access_rules is 'At most 200, read as a whole by each node after a change.';
comment on column access_rules.conditions is 'who, where, when, applications: as they are given.';
comment on column access_rules.called is 'What the things that it names were called when it was saved: they may be deleted.';

alter table login_records add column rule_outcomes jsonb;
comment on column login_records.rule_outcomes is 'Which access rules applied, with their names and modes of that time; null: none.';
create index login_records_rule_outcomes on login_records (at, id) where rule_outcomes is not null;

-- Of what a rule names, something is gone or there again: every node reads its rules anew.
create function tell_access_rules() returns trigger language plpgsql as $$
begin
  perform pg_notify('gatehouse_cache', 'settings');
  return null;
end $$;
create trigger access_rules_told after delete on organizations for each statement execute function tell_access_rules();
create trigger access_rules_told after delete on roles for each statement execute function tell_access_rules();
create trigger access_rules_told after insert or delete on user_categories
  for each statement execute function tell_access_rules();
create trigger access_rules_told after insert or delete or update of deleted_at on applications
  for each statement execute function tell_access_rules();
create trigger access_rules_told after insert or delete or update of enabled on ip_ranges
  for each statement execute function tell_access_rules();
