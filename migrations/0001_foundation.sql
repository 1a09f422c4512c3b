-- Settings, wording, files -------------------------------------------------------------------------------------------

create table settings (
  name text primary key,
  value jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table settings is 'One row a settings document: login, gateway, setup …; the contract holds each one''s shape and defaults.';

create table languages (
  code text primary key,
  name text not null,
  enabled boolean not null default true,
  position int not null
);
insert into languages values ('zh_CN', '简体中文', true, 1), ('zh_TW', '繁體中文', true, 2), ('en', 'English', true, 3);

create table files (
  id uuid primary key,
  purpose text not null,
  owner_id uuid,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz not null
);

-- People -------------------------------------------------------------------------------------------------------------

create table organizations (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  parent_id uuid references organizations,
  ancestor_ids uuid[] not null,
  attribute text,
  position int not null default 0,
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column organizations.ancestor_ids is 'From the root down to and including the organisation itself, so that a grant to an organisation reaches its descendants in one comparison.';
create index organizations_parent on organizations (parent_id, position, code);
create index organizations_ancestors on organizations using gin (ancestor_ids);

create table user_categories (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0
);

create table roles (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  version int not null default 1
);

create table users (
  id uuid primary key,
  account text not null,
  name text not null,
  name_pinyin text not null default '',
  name_initials text not null default '',
  nickname text,
  gender text not null default 'unknown' check (gender in ('male', 'female', 'unknown')),
  birthday date,
  avatar_id uuid references files,
  category_id uuid references user_categories,
  organization_id uuid references organizations,
  phone text,
  mailbox text,
  alias text,
  is_super_user boolean not null default false,
  enabled boolean not null default true,
  activated boolean not null default true,
  must_change_password boolean not null default false,
  locked_at timestamptz,
  locked_until timestamptz,
  lock_reason text,
  locked_by uuid,
  frozen_from timestamptz,
  frozen_until timestamptz,
  freeze_reason text,
  frozen_by uuid,
  dormant_since timestamptz,
  last_login_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
comment on column users.locked_at is 'A lock by an administrator. Locks by failures live in attempt_counters, also for names that nobody has.';
comment on column users.phone is 'E.164.';
create unique index users_account on users (account) where deleted_at is null;
create index users_organization on users (organization_id);
create index users_super on users (id) where is_super_user;

create table login_names (
  canonical text primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('account', 'alias', 'phone', 'mailbox')),
  unique (user_id, kind)
);
comment on table login_names is 'What a person may type as user name, in canonical form: unique over all four kinds, so that an alias can never be another person''s number.';

create table role_members (
  role_id uuid not null references roles on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (role_id, user_id)
);
create index role_members_user on role_members (user_id);

create table passwords (
  user_id uuid primary key references users on delete cascade,
  hash text not null,
  changed_at timestamptz not null,
  -- null: the person
  changed_by uuid
);
comment on column passwords.hash is 'argon2id PHC string, bcrypt, or "wrapped:<scheme>:<salt>:<argon2id of the old digest>".';

create table former_passwords (
  user_id uuid not null references users on delete cascade,
  hash text not null,
  replaced_at timestamptz not null,
  primary key (user_id, replaced_at)
);

create table security_answers (
  user_id uuid not null references users on delete cascade,
  question text not null,
  answer_hash text not null,
  position int not null,
  primary key (user_id, question)
);

-- Applications -------------------------------------------------------------------------------------------------------

create table application_categories (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0
);

create table applications (
  id uuid primary key,
  app_id text not null unique,
  name text not null,
  names jsonb not null default '{}',
  name_pinyin text not null default '',
  name_initials text not null default '',
  description text not null default '',
  descriptions jsonb not null default '{}',
  category_id uuid references application_categories,
  protocol text not null check (protocol in ('cas', 'oauth2')),
  type text not null default 'system' check (type in ('system', 'whitelist')),
  url text,
  picture text,
  position int not null default 0,
  enabled boolean not null default true,
  built_in boolean not null default false,
  user_attribute text not null default 'account',
  attributes jsonb not null default '[]',
  service_urls text[] not null default '{}',
  single_logout text not null default 'back-channel' check (single_logout in ('none', 'front-channel', 'back-channel')),
  logout_url text,
  proxy boolean not null default false,
  proxy_callback_urls text[] not null default '{}',
  cas_options jsonb not null default '{}',
  client_id text unique,
  client_secret_hash text,
  redirect_uris text[] not null default '{}',
  post_logout_redirect_uris text[] not null default '{}',
  backchannel_logout_uri text,
  grant_types text[] not null default '{authorization_code,refresh_token}',
  scopes text[] not null default '{openid}',
  consent text not null default 'implicit' check (consent in ('implicit', 'explicit')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column applications.attributes is 'Released attributes: [{"name": "cn", "from": "name"} or {"name": "tier", "value": "gold"}].';
comment on column applications.cas_options is 'Compatibility switches of the CAS server for this application; shape in protocols/cas.';

create table application_grants (
  application_id uuid not null references applications on delete cascade,
  subject_kind text not null check (subject_kind in ('role', 'organization', 'category', 'user')),
  subject_id uuid not null,
  valid_from timestamptz,
  valid_until timestamptz,
  primary key (application_id, subject_kind, subject_id)
);
create index application_grants_subject on application_grants (subject_kind, subject_id);

-- Signing in and sessions --------------------------------------------------------------------------------------------

create table sso_sessions (
  id uuid primary key,
  secret_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  auth_type text not null,
  remembered boolean not null default false,
  warn boolean not null default false,
  limited boolean not null default false,
  authenticated_at timestamptz not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip inet not null,
  user_agent text not null,
  browser text not null,
  device text not null,
  client_type text not null,
  on_campus boolean not null,
  ended_at timestamptz,
  end_reason text
);
comment on column sso_sessions.limited is 'Opened by a person who must change the password first: good for nothing else.';
comment on column sso_sessions.expires_at is 'The absolute end; the idle end follows from last_seen_at.';
create index sso_sessions_user on sso_sessions (user_id) where ended_at is null;
create index sso_sessions_opened on sso_sessions (opened_at desc, id desc) where ended_at is null;

create table portal_sessions (
  id uuid primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  cookie_hash bytea not null unique,
  token_hash bytea not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index portal_sessions_sso on portal_sessions (sso_session_id);

create table known_devices (
  user_id uuid not null references users on delete cascade,
  device_hash bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
comment on table known_devices is 'Browsers that have logged in as this account before: exempt from a lock by strangers'' failures, with a counter of their own. The newest few of each person.';

create table attempt_counters (
  kind text not null check (kind in ('name', 'device', 'address', 'old-password')),
  key bytea not null,
  user_id uuid,
  recent timestamptz[] not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  primary key (kind, key)
);
comment on table attempt_counters is 'Failures per login name (known or not), per known device, of the old password at a change, and one row per address and name: durable, so that a restart gives no fresh tries. Keys are keyed hashes, because people type passwords into the wrong field.';
comment on column attempt_counters.recent is 'The failures that still count, at most as many as lock.';
comment on column attempt_counters.user_id is 'Whose name it is, for the list of locked accounts.';
create index attempt_counters_last on attempt_counters (last_at);
create index attempt_counters_user on attempt_counters (user_id) where user_id is not null;

create table replay_marks (
  mark bytea primary key,
  expires_at timestamptz not null
);
create index replay_marks_expiry on replay_marks (expires_at);

create unlogged table hot_state (
  kind text not null,
  key bytea not null,
  value jsonb not null,
  expires_at timestamptz not null,
  hits int not null default 0,
  primary key (kind, key)
);
create index hot_state_expiry on hot_state (expires_at);

-- CAS ----------------------------------------------------------------------------------------------------------------

create table session_services (
  id uuid primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null references applications on delete cascade,
  service_url text not null,
  service text not null,
  ticket_hash bytea not null unique,
  fresh boolean not null,
  browser text,
  proxies text[] not null,
  ticket text,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table session_services is 'Service and proxy tickets: good for one validation, afterwards the record that single logout needs.';
comment on column session_services.service_url is 'As it was received; service is the canonical form that a validation must name.';
comment on column session_services.browser is 'The portal''s own tickets work only in the browser they were issued to.';
comment on column session_services.ticket is 'In clear only once it is used for its service: single logout has to name it.';
create index session_services_session on session_services (sso_session_id);

create table proxy_granting_tickets (
  ticket_hash bytea primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null references applications on delete cascade,
  proxies text[] not null,
  created_at timestamptz not null
);
create index proxy_granting_tickets_session on proxy_granting_tickets (sso_session_id);

create table logout_deliveries (
  id uuid primary key,
  sso_session_id uuid not null,
  user_id uuid not null,
  application_id uuid not null references applications on delete cascade,
  channel text not null check (channel in ('back-channel', 'front-channel')),
  url text not null,
  ticket text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index logout_deliveries_due on logout_deliveries (application_id, next_attempt_at) where state = 'pending';
create index logout_deliveries_application on logout_deliveries (application_id, created_at desc);

-- Records, partitioned by month --------------------------------------------------------------------------------------

create table login_records (
  id uuid not null,
  at timestamptz not null,
  user_id uuid,
  account text not null,
  auth_type text not null,
  succeeded boolean not null,
  reason text,
  ip inet not null,
  user_agent text not null,
  browser text not null,
  device text not null,
  client_type text not null,
  on_campus boolean not null,
  sso_session_id uuid,
  application_id uuid,
  logout_at timestamptz,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
comment on column login_records.account is 'As typed when it is somebody''s login name, otherwise masked: people type passwords into the wrong field.';
create index login_records_user on login_records (user_id, at desc);
create index login_records_session on login_records (sso_session_id);

create table visit_records (
  id uuid not null,
  at timestamptz not null,
  user_id uuid not null,
  application_id uuid not null,
  way text not null check (way in ('portal', 'sign-on')),
  ip inet not null,
  client_type text not null,
  on_campus boolean not null,
  sso_session_id uuid,
  primary key (at, id)
) partition by range (at);
create index visit_records_user on visit_records (user_id, at desc);
create index visit_records_application on visit_records (application_id, at desc);

create table audit_records (
  id uuid not null,
  at timestamptz not null,
  actor_id uuid,
  actor text not null,
  action text not null,
  target_kind text not null,
  target_id text not null,
  before jsonb,
  after jsonb,
  reason text,
  ip inet,
  user_agent text not null default '',
  request_id text not null default '',
  primary key (at, id)
) partition by range (at);
create index audit_records_target on audit_records (target_kind, target_id, at desc);
create index audit_records_actor on audit_records (actor_id, at desc);

create table login_records_other partition of login_records default;
create table visit_records_other partition of visit_records default;
create table audit_records_other partition of audit_records default;

create function ensure_record_partitions(first_month date, months int) returns void language plpgsql as $$
declare
  month date;
  kind text;
  name text;
begin
  for i in 0 .. months - 1 loop
    month := (date_trunc('month', first_month) + make_interval(months => i))::date;
    foreach kind in array array['login_records', 'visit_records', 'audit_records'] loop
      name := kind || '_' || to_char(month, 'YYYY_MM');
      if to_regclass(name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          name, kind, month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      end if;
    end loop;
  end loop;
end $$;

-- Campus networks ----------------------------------------------------------------------------------------------------

create table ip_ranges (
  id uuid primary key,
  name text not null,
  network cidr not null unique,
  on_campus boolean not null default true
);
