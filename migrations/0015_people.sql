-- How long an account is good, and who took it away -------------------------------------------------------------------

alter table users
  add column valid_from timestamptz,
  add column valid_until timestamptz,
  add column deleted_by uuid,
  add constraint users_valid check (valid_from < valid_until);
comment on column users.valid_from is 'Before it, and from valid_until on, the gate refuses; null: no such bound.';

-- The further departments of a person; the first one is users.organization_id, and it alone decides who administers them.
create table user_organizations (
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  primary key (user_id, organization_id)
);
create index user_organizations_organization on user_organizations (organization_id, user_id);

-- A way back in that an administrator hands over --------------------------------------------------------------------------

create table activation_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null unique,
  expires_at timestamptz not null,
  created_by uuid,
  created_at timestamptz not null
);
comment on table activation_codes is 'One-time codes that stand in for the information check of an activation: whoever holds one may set up this account. The newest counts, once.';
create index activation_codes_expiry on activation_codes (expires_at);

-- The list of people, at a million of them --------------------------------------------------------------------------------
-- No index on last_login_at and none on dormant_since of people who are awake: a login writes these, and stays a heap-only update.

create index users_account_search on users (lower(account) text_pattern_ops) where deleted_at is null;
create index users_name_order on users (name_pinyin text_pattern_ops, id) where deleted_at is null;
create index users_initials on users (name_initials text_pattern_ops) where deleted_at is null;
create index users_created on users (created_at, id) where deleted_at is null;
create index users_organization_account on users (organization_id, account) where deleted_at is null;
create index users_category_account on users (category_id, account) where deleted_at is null;
create index users_nature_account on users (personnel_nature_id, account) where deleted_at is null;

create index users_phone on users (phone text_pattern_ops) where phone is not null and deleted_at is null;
create index users_phone_end on users (reverse(phone) text_pattern_ops) where phone is not null and deleted_at is null;
create index users_mailbox on users (lower(mailbox) text_pattern_ops) where mailbox is not null and deleted_at is null;

create index users_disabled on users (account) where not enabled and deleted_at is null;
create index users_inactive on users (account) where not activated and deleted_at is null;
create index users_locked on users (account) where locked_at is not null and deleted_at is null;
create index users_frozen on users (account) where frozen_from is not null and deleted_at is null;
create index users_dormant on users (account) where dormant_since is not null and deleted_at is null;
create index users_dated on users (account) where (valid_from is not null or valid_until is not null) and deleted_at is null;
create index users_deleted on users (deleted_at, id) where deleted_at is not null;
create index attempt_counters_blocked on attempt_counters (blocked_until) where user_id is not null and blocked_until is not null;

-- Of what a name is found by: every character and pair of characters of what is not plain Latin, and the words of what is.
create function name_grams(name text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct g.gram), '{}') from (
    select m[1] as run from regexp_matches(lower(left(name, 100)), '([a-z0-9]+|[^\x01-\x7f]+)', 'g') m
  ) r cross join lateral (
    select r.run as gram where r.run ~ '^[a-z0-9]'
    union all
    select substr(r.run, i, n) from generate_series(1, length(r.run)) i, (values (1), (2)) v(n)
      where r.run !~ '^[a-z0-9]' and i + n - 1 <= length(r.run)
  ) g
$$;
create index users_name_grams on users using gin (name_grams(name)) with (gin_pending_list_limit = 512) where deleted_at is null;
