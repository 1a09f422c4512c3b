-- Settings, languages, files ------------------------------------------------------------------------------------------

create table settings (
  name text primary key,
  value jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null,
  file_keys text[] not null default '{}'
);
comment on table settings is 'One row per settings document (login, gateway, setup, …); the contract defines shape and defaults.';
comment on column settings.file_keys is 'Keys that the bootstrap file set when it was last applied; pages show them and save none of them.';

-- From a sequence, so that a language that was deleted and added again has no version that it had before.
create sequence language_versions as int;

create table languages (
  code text primary key,
  name text not null,
  enabled boolean not null default true,
  position int not null,
  direction text not null default 'ltr' check (direction in ('ltr', 'rtl')),
  -- A language that ships, where the texts come from that this one lacks; null: it ships itself.
  fallback text check (fallback in ('zh_CN', 'zh_TW', 'en')),
  version int not null default nextval('language_versions'),
  updated_at timestamptz not null default now()
);
insert into languages values ('zh_CN', '简体中文', true, 1), ('zh_TW', '繁體中文', true, 2), ('en', 'English', true, 3);

-- Versions come from one sequence, so that a text that was taken back and written again has none that it had before.
create sequence text_versions as int;

create table text_overrides (
  -- No foreign key: whoever adds a language again, or takes its deletion back, has its texts.
  language text not null,
  key text not null,
  text text not null,
  -- What this was written in place of; where that differs from what ships by now, the text is outdated.
  source text not null,
  version int not null default nextval('text_versions'),
  updated_at timestamptz not null,
  primary key (language, key)
);
comment on table text_overrides is 'The institution''s own wording: only what differs from what ships.';

create table files (
  id uuid primary key,
  purpose text not null,
  owner_id uuid,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  pending boolean not null default false
);
comment on column files.pending is 'Uploaded and not used yet; deleted after a day.';
create index files_pending on files (created_at) where pending;
create index files_owner on files (owner_id, purpose) where owner_id is not null;

-- Reference data ------------------------------------------------------------------------------------------------------

create table organization_attributes (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0,
  version int not null default 1
);

create table user_categories (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0,
  version int not null default 1
);

create table personnel_types (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0,
  version int not null default 1
);

-- Organizations -------------------------------------------------------------------------------------------------------

create table organizations (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  parent_id uuid references organizations,
  ancestor_ids uuid[] not null,
  attribute text constraint organizations_attribute_known references organization_attributes (code),
  position int not null default 0,
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_pinyin text,
  name_initials text
);
comment on column organizations.ancestor_ids is 'From the root down to the organization itself, so that one comparison finds the grants of all ancestors.';
comment on column organizations.name_pinyin is 'Null until computed; a job fills rows that were written without it.';
create index organizations_parent on organizations (parent_id, position, code);
create index organizations_ancestors on organizations using gin (ancestor_ids);
create index organizations_pinyin on organizations (name_pinyin text_pattern_ops);
create index organizations_initials on organizations (name_initials text_pattern_ops);
create index organizations_code_search on organizations (lower(code) text_pattern_ops);
create index organizations_without_pinyin on organizations (id) where name_pinyin is null;
create index organizations_attribute on organizations (attribute) where attribute is not null;

-- Roles ---------------------------------------------------------------------------------------------------------------

create table roles (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  version int not null default 1,
  description text not null default '',
  name_pinyin text not null default '',
  name_initials text not null default '',
  people int not null default 0,
  created_at timestamptz,
  updated_at timestamptz
);
comment on column roles.people is 'Individual members that are not deleted. Counted by triggers, because a role may have a hundred thousand.';

-- People --------------------------------------------------------------------------------------------------------------

-- Search terms of a name: each character and pair of characters that is not ASCII, and each ASCII word. Written for speed: importing
-- people calls it once per row.
create function name_grams(name text) returns text[] language plpgsql immutable parallel safe as $$
declare
  lowered constant text := lower(left(name, 100));
  grams text[] := '{}';
  word text := '';
  former text;
  sign text;
  code integer;
begin
  for at in 1 .. length(lowered) loop
    sign := substr(lowered, at, 1);
    code := ascii(sign);
    if code between 48 and 57 or code between 97 and 122 then
      word := word || sign;
    elsif word <> '' then
      grams := grams || word;
      word := '';
    end if;
    if code < 128 then
      former := null;
    else
      grams := grams || sign;
      if former is not null then
        grams := grams || (former || sign);
      end if;
      former := sign;
    end if;
  end loop;
  return case when word = '' then grams else grams || word end;
end
$$;

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
  frozen_at timestamptz,
  freeze_reason text,
  frozen_by uuid,
  dormant_since timestamptz,
  last_login_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  personnel_type_id uuid references personnel_types,
  id_number text,
  valid_from timestamptz,
  valid_until timestamptz,
  deleted_by uuid,
  appointed_at timestamptz,
  phone_given_at timestamptz,
  mailbox_given_at timestamptz,
  inactive_since timestamptz,
  freeze_cause text check (freeze_cause in ('leave', 'suspension', 'graduated', 'security', 'other')),
  freeze_note text,
  awake_from timestamptz,
  dormancy_exempt_until timestamptz,
  lock_cause text check (lock_cause in ('dormancy')),
  dormant_unused boolean not null default false,
  custom_values jsonb constraint users_custom_values check (jsonb_typeof(custom_values) = 'object'),
  id_number_mac bytea,
  constraint users_valid check (valid_from < valid_until)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on column users.locked_at is 'Locked by an administrator. Locks after failed attempts are in attempt_counters, also for unknown names.';
comment on column users.phone is 'E.164.';
comment on column users.id_number is 'Number of an identity document, encrypted. Proves identity at activation and is never shown in full.';
comment on column users.id_number_mac is 'Keyed hash of the ID number, to find who has the same; null: not made yet; empty: the number can’t be read.';
comment on column users.valid_from is 'Login is refused before it and from valid_until on; null: no bound.';
comment on column users.frozen_from is 'When a planned freeze begins; 1970 for one that began at once, which holds by any clock.';
comment on column users.frozen_at is 'When the freeze was set; null for one older than this column. Shown as the start of a freeze that began at once.';
comment on column users.freeze_cause is 'Why the account is frozen, in one of a few words; freeze_reason is the text beside it. Null: frozen before the words were.';
comment on column users.freeze_note is 'Why the account is frozen, for colleagues; freeze_reason is what the person is told.';
comment on column users.lock_cause is 'Null: an administrator locked them.';
comment on column users.awake_from is
  'Idleness counts from here at the earliest: activated, woken, unlocked, thawed, enabled or restored. Null: from creation.';
comment on column users.dormancy_exempt_until is
  'Not made dormant, and not locked for dormancy, before this. Infinity: until an administrator ends the exemption.';
comment on column users.dormant_unused is 'Dormant without ever having logged in: nobody logs in and stays dormant. Kept by a trigger.';
comment on column users.custom_values is 'Texts by the key of their field; null: none. What belongs to no field any more is shown to nobody.';
comment on column users.inactive_since is 'Since when the account has to be activated again; null: since it was created.';
comment on column users.appointed_at is 'When administrative permissions were last extended: codes and recoveries issued before are invalid.';
comment on column users.phone_given_at is 'When a scoped administrator entered the phone; null: somebody else did, or the person has confirmed it.';
comment on column users.mailbox_given_at is 'As phone_given_at.';
create unique index users_account on users (account) where deleted_at is null;
create index users_organization on users (organization_id);
create index users_super on users (id) where is_super_user;
create index users_personnel_type on users (personnel_type_id);
create index users_category on users (category_id);
-- For the foreign key check when a file is deleted.
create index users_avatar on users (avatar_id) where avatar_id is not null;
-- No index covers last_login_at, or dormant_since of active people: a login writes both and must stay a heap-only update.
create index users_account_search on users (lower(account) text_pattern_ops) where deleted_at is null;
create index users_name_order on users (name_pinyin text_pattern_ops, id) where deleted_at is null;
create index users_initials on users (name_initials text_pattern_ops) where deleted_at is null;
create index users_created on users (created_at, id) where deleted_at is null;
create index users_category_account on users (category_id, account) where deleted_at is null;
create index users_personnel_type_account on users (personnel_type_id, account) where deleted_at is null;
create index users_phone on users (phone text_pattern_ops) where phone is not null and deleted_at is null;
create index users_phone_end on users (reverse(phone) text_pattern_ops) where phone is not null and deleted_at is null;
create index users_mailbox on users (lower(mailbox) text_pattern_ops) where mailbox is not null and deleted_at is null;
create index users_disabled on users (account) where not enabled and deleted_at is null;
create index users_inactive on users (account) where not activated and deleted_at is null;
create index users_locked on users (account) where locked_at is not null and deleted_at is null;
create index users_frozen on users (account) where frozen_from is not null and deleted_at is null;
create index users_locked_by_hand on users (account) where locked_at is not null and lock_cause is null and deleted_at is null;
create index users_locked_dormant on users (account) where lock_cause = 'dormancy' and deleted_at is null;
-- The list of dormant people is read from its indexes alone: of a million people some 50,000 are dormant, each on a page of its own.
create index users_dormant on users (account) include (id, name, name_pinyin, name_initials, organization_id, created_at, dormant_since)
  where dormant_since is not null and deleted_at is null;
create index users_dormant_since on users (dormant_since, account) include (id, organization_id)
  where dormant_since is not null and deleted_at is null;
create index users_dormant_unused on users (account) where dormant_unused and deleted_at is null;
create index users_dormancy_exempt on users (account) where dormancy_exempt_until is not null and deleted_at is null;
create index users_exempt_of_part on users (organization_id) where dormancy_exempt_until is not null and deleted_at is null;
create index users_dated on users (account) where (valid_from is not null or valid_until is not null) and deleted_at is null;
create index users_deleted on users (deleted_at, id) where deleted_at is not null;
create index users_name_grams on users using gin (name_grams(name)) with (gin_pending_list_limit = 512) where deleted_at is null;
-- Who has just this value of this field; a login changes none of it and stays a heap-only update.
create index users_custom_values on users using gin (custom_values jsonb_path_ops) where custom_values is not null;
-- With those that have no hash yet: the job that makes them finds them here.
create index users_id_number on users (id_number_mac) where id_number is not null and deleted_at is null;
create index users_name on users (lower(name)) where deleted_at is null;
create index users_nickname on users (lower(nickname)) where nickname is not null and deleted_at is null;
-- For calls that ask for changes since a time.
create index users_updated on users (updated_at, id);
-- Account names of deleted people: only super users may assign them again.
create index users_former on users (lower(account)) where deleted_at is not null;
-- Covers the columns of the people list, so that the list of one organization reads no table rows.
create index users_of_part on users (organization_id, account) include (id, name, name_pinyin, name_initials, category_id,
  personnel_type_id, phone, mailbox, is_super_user, enabled, activated, locked_at, locked_until, frozen_from, frozen_until,
  dormant_since, valid_from, valid_until, created_at, deleted_at) where deleted_at is null;
create index users_deleted_of_part on users (organization_id) where deleted_at is not null;

-- The planner takes no statistics from partial indexes; without these it takes every search for a selective one.
create statistics users_account_searched on (lower(account)) from users;
create statistics users_name_searched on (name_grams(name)) from users;
create statistics users_phone_searched on (reverse(phone)) from users;
create statistics users_mailbox_searched on (lower(mailbox)) from users;

create function note_dormant_unused() returns trigger language plpgsql as $$
begin
  new.dormant_unused := new.dormant_since is not null and new.last_login_at is null;
  return new;
end $$;
create trigger users_dormant_inserted before insert on users
  for each row when (new.dormant_since is not null) execute function note_dormant_unused();
create trigger users_dormant_changed before update of dormant_since on users
  for each row when (old.dormant_since is distinct from new.dormant_since) execute function note_dormant_unused();

-- A version that knows no hash, beside this one during an upgrade, leaves the hash of the former number behind: the job makes it anew.
create function forget_id_number_mac() returns trigger language plpgsql as $$
begin
  new.id_number_mac := null;
  return new;
end $$;
create trigger users_id_number_mac_forgotten before update of id_number on users
  for each row when (old.id_number is distinct from new.id_number and old.id_number_mac is not distinct from new.id_number_mac)
  execute function forget_id_number_mac();

-- Secondary departments. The primary one is users.organization_id, which alone decides who administers a person.
create table user_organizations (
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  primary key (user_id, organization_id)
);
create index user_organizations_organization on user_organizations (organization_id, user_id);

create table role_members (
  role_id uuid not null references roles on delete cascade,
  user_id uuid not null references users on delete cascade,
  added_at timestamptz,
  added_by uuid,
  primary key (role_id, user_id)
);
create index role_members_user on role_members (user_id);

create table role_member_groups (
  role_id uuid not null references roles on delete cascade,
  kind text not null check (kind in ('organization', 'category')),
  subject_id uuid not null,
  added_at timestamptz,
  added_by uuid,
  primary key (role_id, kind, subject_id)
);
comment on table role_member_groups is 'Groups that hold a role: an organization with its descendants, or a category. Their people have no row in role_members.';
create index role_member_groups_subject on role_member_groups (subject_id, kind, role_id);

create table login_names (
  canonical text primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('account', 'alias', 'phone', 'mailbox')),
  unique (user_id, kind)
);
comment on table login_names is 'Everything a person may log in with, in canonical form. Unique over all kinds, so that an alias is never another person''s number.';

create table alias_holdings (
  canonical text not null,
  user_id uuid not null references users on delete cascade,
  taken_at timestamptz not null,
  released_at timestamptz,
  primary key (canonical, user_id, taken_at)
);
comment on table alias_holdings is 'History of login aliases. A released alias stays reserved for a while, so that nobody is mistaken for its former holder.';
create index alias_holdings_user on alias_holdings (user_id, taken_at);

create table appointments (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  permissions text[] not null check (permissions <@ '{edit,unlock,reset,import,authorise}'),
  valid_from timestamptz,
  valid_until timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, organization_id)
);
comment on table appointments is 'Administrators of an organization and its descendants: with which permissions, and for how long.';
create index appointments_organization on appointments (organization_id);

create table table_choices (
  user_id uuid not null references users on delete cascade,
  table_key text not null,
  columns text[] not null,
  density text not null check (density in ('comfortable', 'compact')),
  updated_at timestamptz not null,
  primary key (user_id, table_key)
);
comment on table table_choices is 'Only tables and columns of shared/contract/tables.ts.';

-- A grant subject is one of four kinds and so has no foreign key; these triggers cascade instead.
create function forget_subject() returns trigger language plpgsql as $$
begin
  delete from application_grants g using former f where g.subject_kind = tg_argv[0] and g.subject_id = f.id;
  if tg_argv[0] in ('organization', 'category') then
    delete from role_member_groups m using former f where m.kind = tg_argv[0] and m.subject_id = f.id;
  end if;
  return null;
end $$;
create trigger roles_forgotten after delete on roles
  referencing old table as former for each statement execute function forget_subject('role');
create trigger organizations_forgotten after delete on organizations
  referencing old table as former for each statement execute function forget_subject('organization');
create trigger user_categories_forgotten after delete on user_categories
  referencing old table as former for each statement execute function forget_subject('category');
create trigger users_forgotten after delete on users
  referencing old table as former for each statement execute function forget_subject('user');

create table unconfirmed_changes (
  id uuid primary key,
  target_kind text not null,
  target_id text not null,
  fields text[] not null,
  before jsonb not null,
  after jsonb not null,
  made_at timestamptz not null,
  made_by uuid references users on delete set null,
  due_at timestamptz not null,
  settled_at timestamptz,
  outcome text check (outcome in ('confirmed', 'taken-back', 'went-back')),
  left_fields text[] not null default '{}',
  check ((settled_at is null) = (outcome is null))
);
comment on table unconfirmed_changes is 'Changes that were saved although they lock somebody out: each goes back at due_at unless a login after it confirms it.';
comment on column unconfirmed_changes.fields is 'What locks out; the rest of the change may stay when it can''t go back with it.';
comment on column unconfirmed_changes.left_fields is 'What was not put back, because somebody had changed it since or the bootstrap file sets it.';
create unique index unconfirmed_changes_open on unconfirmed_changes (target_kind, target_id) where settled_at is null;
create index unconfirmed_changes_settled on unconfirmed_changes (settled_at) where settled_at is not null;
-- Counts of people ----------------------------------------------------------------------------------------------------

create table people_counts (
  kind text not null check (kind in ('organization', 'category', 'personnel-type')),
  id uuid not null,
  people bigint not null,
  primary key (kind, id)
);
comment on table people_counts is 'People that are not deleted, by organization, category and personnel type; the nil UUID counts those without. Exact when people_count_changes is added.';

create table people_count_changes (
  number bigint generated always as identity primary key,
  kind text not null,
  id uuid not null,
  people int not null
);
comment on table people_count_changes is 'Pending changes of people_counts, folded into it each minute. Append-only, so that parallel imports never wait for each other.';
create index people_count_changes_of on people_count_changes (kind, id);

create function count_added_people() returns trigger language plpgsql as $$
begin
  insert into people_count_changes (kind, id, people)
  select k.kind, coalesce(k.id, '00000000-0000-0000-0000-000000000000'), count(*)
  from written w cross join lateral (values
    ('organization', w.organization_id), ('category', w.category_id), ('personnel-type', w.personnel_type_id)) k (kind, id)
  where w.deleted_at is null group by 1, 2;
  return null;
end $$;
create trigger users_added_counted after insert on users
  referencing new table as written for each statement execute function count_added_people();

create function count_removed_people() returns trigger language plpgsql as $$
begin
  insert into people_count_changes (kind, id, people)
  select k.kind, coalesce(k.id, '00000000-0000-0000-0000-000000000000'), -count(*)
  from former f cross join lateral (values
    ('organization', f.organization_id), ('category', f.category_id), ('personnel-type', f.personnel_type_id)) k (kind, id)
  where f.deleted_at is null group by 1, 2;
  return null;
end $$;
create trigger users_removed_counted after delete on users
  referencing old table as former for each statement execute function count_removed_people();

create function count_refiled_person() returns trigger language plpgsql as $$
begin
  insert into people_count_changes (kind, id, people)
  select c.kind, coalesce(c.id, '00000000-0000-0000-0000-000000000000'), sum(c.step)
  from (values
    ('organization', old.organization_id, old.deleted_at, -1), ('organization', new.organization_id, new.deleted_at, 1),
    ('category', old.category_id, old.deleted_at, -1), ('category', new.category_id, new.deleted_at, 1),
    ('personnel-type', old.personnel_type_id, old.deleted_at, -1), ('personnel-type', new.personnel_type_id, new.deleted_at, 1)
  ) c (kind, id, deleted_at, step)
  where c.deleted_at is null group by 1, 2 having sum(c.step) <> 0;
  return null;
end $$;
create trigger users_refiled_counted after update of organization_id, category_id, personnel_type_id, deleted_at on users
  for each row when (old.organization_id is distinct from new.organization_id or old.category_id is distinct from new.category_id
    or old.personnel_type_id is distinct from new.personnel_type_id
    or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function count_refiled_person();

create function count_role_members() returns trigger language plpgsql as $$
begin
  update roles r set people = r.people + c.n * tg_argv[0]::int
  from (
    select m.role_id, count(*)::int as n from changed m join users u on u.id = m.user_id
    where u.deleted_at is null group by 1 order by 1
  ) c
  where r.id = c.role_id;
  return null;
end $$;
create trigger role_members_counted after insert on role_members
  referencing new table as changed for each statement execute function count_role_members('1');
create trigger role_members_discounted after delete on role_members
  referencing old table as changed for each statement execute function count_role_members('-1');

create function count_deleted_member() returns trigger language plpgsql as $$
begin
  update roles set people = people + case when new.deleted_at is null then 1 else -1 end
  where id in (select role_id from role_members where user_id = new.id);
  return null;
end $$;
create trigger users_counted_in_roles after update of deleted_at on users
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_deleted_member();

-- Passwords, attempts, verification -----------------------------------------------------------------------------------

create table passwords (
  user_id uuid primary key references users on delete cascade,
  hash text not null,
  changed_at timestamptz not null,
  changed_by uuid
);
comment on column passwords.changed_by is 'Null: the person.';
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

create table attempt_counters (
  kind text not null check (kind ~ '^[a-z]+(-[a-z]+)*$'),
  key bytea not null,
  user_id uuid,
  recent timestamptz[] not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  locks int not null default 0,
  primary key (kind, key)
);
comment on table attempt_counters is 'Failed attempts per kind and key: a person, a known device, an unknown name, an address with a name. Each feature that throttles has its own kind. Durable, so that a restart grants no fresh attempts. Names are keyed hashes, because people type passwords into the wrong field.';
comment on column attempt_counters.recent is 'The failures that still count, at most as many as cause a lock.';
comment on column attempt_counters.locks is 'Locks since the last login, counted where each lasts longer than the one before.';
comment on column attempt_counters.user_id is 'Whose counter it is: unlocking deletes it, and kind person is the list of locked accounts.';
create index attempt_counters_last on attempt_counters (last_at);
create index attempt_counters_user on attempt_counters (user_id) where user_id is not null;
create index attempt_counters_blocked on attempt_counters (blocked_until) where user_id is not null and blocked_until is not null;

create table login_locks (
  kind text not null,
  key bytea not null,
  user_id uuid not null,
  locked_at timestamptz not null,
  locked_until timestamptz not null,
  expired boolean not null default false,
  primary key (kind, key, locked_until)
);
comment on table login_locks is 'Locks of people by failed logins, written with the lock. Unlocking deletes them.';
comment on column login_locks.kind is 'With key: the row of attempt_counters that locked.';
comment on column login_locks.expired is 'The lock ran out, and that is in the audit records. The row is kept a while, because the next lock is one of a person locked again.';
create index login_locks_open on login_locks (locked_until) where not expired;
create index login_locks_user on login_locks (user_id);

create table verification_codes (
  slot bytea primary key,
  code_hash bytea not null,
  tries int not null default 0,
  last_try_at timestamptz,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table verification_codes is 'Six-digit codes sent to a phone or mailbox, one per slot. Durable, so that a restart grants no fresh attempts.';
comment on column verification_codes.slot is 'Keyed hash of purpose, account, typed name, target and browser, to which the code is bound. Unknown names get rows too.';
comment on column verification_codes.code_hash is 'Keyed, because there are only a million codes.';
comment on column verification_codes.tries is 'Failed attempts; a further code in the same slot continues the count.';
create index verification_codes_expiry on verification_codes (expires_at);

create table verification_code_limits (
  key bytea primary key,
  used int not null,
  until timestamptz not null
);
comment on table verification_code_limits is 'How many codes were requested: per name, target, address and in total, each row for one window that begins with its first code.';
create index verification_code_limits_until on verification_code_limits (until);

create table activation_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null unique,
  expires_at timestamptz not null,
  created_by uuid,
  created_at timestamptz not null
);
comment on table activation_codes is 'One-time codes that replace the information check of an activation. Only the newest is valid, once.';
create index activation_codes_expiry on activation_codes (expires_at);

create table activation_flows (
  id uuid primary key,
  browser text not null unique,
  user_id uuid not null references users on delete cascade,
  progress int not null default 0,
  steps jsonb not null default '{}',
  proven text[] not null default '{}',
  knows_secret boolean not null,
  password_hash text,
  answers jsonb,
  phone text,
  mailbox text,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  profile text
);
comment on table activation_flows is 'Activations in progress, one per browser. What the person enters is kept here, encrypted or hashed, and applied at the end.';
comment on column activation_flows.browser is 'Hash of the browser cookie: a flow continues only where it began.';
comment on column activation_flows.progress is 'Counts the steps taken; the proof that the next call must present is derived from it.';
comment on column activation_flows.steps is 'State of each step: done or skipped.';
comment on column activation_flows.proven is 'Channels on file that were verified by a code: sms, mail.';
comment on column activation_flows.knows_secret is 'The information check included something that strangers do not know, such as the ID number.';
comment on column activation_flows.profile is 'Required fields that were filled in, sealed.';
comment on column activation_flows.phone is 'To be bound, encrypted; likewise the mailbox.';
create index activation_flows_user on activation_flows (user_id);
create index activation_flows_expiry on activation_flows (expires_at);

-- Second factors ------------------------------------------------------------------------------------------------------

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  totp_secret text,
  totp_last_step bigint not null default 0,
  totp_confirmed_at timestamptz,
  totp_used_at timestamptz,
  created_at timestamptz not null
);
comment on table second_factors is 'One row per person who has or had a second factor; its row lock serializes parallel attempts.';
comment on column second_factors.totp_secret is 'Encrypted; null without an authenticator app.';
comment on column second_factors.totp_last_step is 'The 30-second step of the last accepted code: neither it nor an earlier one is accepted again.';

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on column recovery_codes.code_hash is 'Keyed hash: fifty random bits alone could be searched.';

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on column passkeys.public_key is 'COSE.';
comment on column passkeys.counter is 'Stays 0 where the authenticator does not count; else it must increase with each use.';
comment on column passkeys.backed_up is 'Synced by the vendor, so that it survives the loss of a device.';
create index passkeys_user on passkeys (user_id, created_at);

create table trusted_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null,
  browser text not null,
  device text not null,
  ip inet not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  unique (user_id, secret_hash)
);
comment on table trusted_devices is 'Browsers that replace the second factor of one person for a while; invalid once the password was changed after created_at.';
create index trusted_devices_expiry on trusted_devices (expires_at);

-- Third-party logins --------------------------------------------------------------------------------------------------

create table third_party_providers (
  id uuid primary key,
  key text not null unique check (key ~ '^[a-z][a-zA-Z0-9-]{1,31}$'),
  connector text not null,
  name text not null,
  names jsonb not null default '{}',
  enabled boolean not null default true,
  position int not null default 0,
  settings jsonb not null,
  secrets text,
  unbound text not null default 'refuse' check (unbound in ('refuse', 'bind', 'create')),
  creates jsonb not null default '{}',
  match_by text[] not null default '{}' check (match_by <@ array['account', 'phone', 'mailbox']),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  set_by_file boolean not null default false
);
comment on column third_party_providers.key is 'Part of the callback URL that is registered with the provider, and the login type in records: immutable.';
comment on column third_party_providers.settings is 'Shape as defined by the connector, without its secrets.';
comment on column third_party_providers.secrets is 'The connector''s secrets as JSON, encrypted with SECRET_KEY.';
comment on column third_party_providers.unbound is 'What happens to an unbound identity: refused, or offered to be bound after a login with the password.';
comment on column third_party_providers.creates is 'With unbound = create: organisation and category of who is created, whether they may log in at once, and for how many days.';
comment on column third_party_providers.set_by_file is 'The bootstrap file named it when it was last applied: a page shows it and saves nothing.';
comment on column third_party_providers.match_by is 'Verified attributes by which an unbound identity is bound automatically. Empty unless an administrator trusts the provider that far.';

create table third_party_accounts (
  id uuid primary key,
  provider_id uuid not null references third_party_providers on delete cascade,
  realm text not null check (realm <> ''),
  subject text not null check (subject !~* '^(|0+|null|undefined|nan|none|nil)$' and length(subject) <= 255),
  user_id uuid not null references users on delete cascade,
  display_name text not null default '',
  bound_at timestamptz not null,
  last_used_at timestamptz,
  matched boolean not null default false,
  unique (provider_id, realm, subject),
  unique (user_id, provider_id)
);
comment on table third_party_accounts is 'Bindings of external identities. An identity is provider, realm and subject together, never a name, phone number or mailbox.';
comment on column third_party_accounts.realm is 'Corporation, application or issuer within which the subject is unique and stable.';
comment on column third_party_accounts.matched is 'Bound automatically on the word of the provider; super users never are.';

create table third_party_unlinked (
  user_id uuid not null references users on delete cascade,
  provider_id uuid not null references third_party_providers on delete cascade,
  unlinked_at timestamptz not null,
  primary key (user_id, provider_id)
);
create index third_party_unlinked_provider on third_party_unlinked (provider_id);
comment on table third_party_unlinked is 'Who unlinked their account at a provider, until they link one there themselves: automatic linking passes them over.';

-- Applications and grants ---------------------------------------------------------------------------------------------

create table application_categories (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0,
  parent_id uuid references application_categories,
  version int not null default 1
);
comment on column application_categories.parent_id is 'Null at the top. There are two levels.';
create index application_categories_parent on application_categories (parent_id);

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
  updated_at timestamptz not null,
  subject_type text not null default 'public' check (subject_type in ('public', 'pairwise')),
  id_token_alg text not null default 'RS256' check (id_token_alg in ('RS256', 'ES256')),
  profile_style text not null default 'nested' check (profile_style in ('nested', 'flat')),
  token_style text not null default 'json' check (token_style in ('json', 'text')),
  deleted_at timestamptz,
  resource_server boolean not null default false,
  id_token_claims boolean not null default true,
  template text,
  constraint applications_deleted_closed check (deleted_at is null or not enabled)
);
comment on column applications.attributes is 'Released attributes: [{"name": "cn", "from": "name"} or {"name": "tier", "value": "gold"}].';
comment on column applications.cas_options is 'Compatibility switches of the CAS server; shape in protocols/cas.';
comment on column applications.profile_style is 'Shape of /oauth2.0/profile: attributes below "attributes", or beside "id".';
comment on column applications.token_style is 'Response of /oauth2.0/accessToken: JSON, or form-encoded for old clients.';
comment on column applications.template is 'The product of the gallery that the application was made from; null: by hand, or by a file.';
comment on column applications.deleted_at is 'Deleted applications are disabled and can be restored: their records keep the name, their grants are kept.';
comment on column applications.resource_server is 'May introspect the access tokens of every application (RFC 7662), not only its own.';
comment on column applications.id_token_claims is 'Profile claims are in the ID token too, not only at userinfo.';
create index applications_name on applications (name, id);
create index applications_updated on applications (updated_at, id);

create table application_grants (
  application_id uuid not null references applications on delete cascade,
  subject_kind text not null check (subject_kind in ('role', 'organization', 'category', 'user')),
  subject_id uuid not null,
  valid_from timestamptz,
  valid_until timestamptz,
  granted_at timestamptz,
  granted_by uuid,
  version int not null default 1,
  primary key (application_id, subject_kind, subject_id)
);
comment on column application_grants.granted_by is 'Who granted it or changed its dates last; null: a file or the setup. The history is in audit_records.';
create index application_grants_subject on application_grants (subject_kind, subject_id);
create index application_grants_until on application_grants (valid_until) where valid_until is not null;
create index application_grants_ends on application_grants (valid_until, application_id, subject_kind, subject_id);
create index application_grants_granted on application_grants (granted_at desc nulls last, application_id, subject_kind, subject_id);
create index application_grants_begins on application_grants (valid_from) where valid_from is not null;

create table interfaces (
  api_id text primary key,
  enabled boolean not null,
  version int not null,
  updated_at timestamptz not null,
  updated_by uuid
);
comment on table interfaces is 'Open API calls that were disabled, or enabled again. A call of the contract without a row is enabled.';

create table application_interfaces (
  application_id uuid not null references applications on delete cascade,
  api_id text not null,
  calls_per_minute int check (calls_per_minute between 1 and 60000),
  granted_at timestamptz not null,
  granted_by uuid,
  version int not null default 1,
  primary key (application_id, api_id)
);
comment on column application_interfaces.calls_per_minute is 'Null: the default of the contract.';
create index application_interfaces_api on application_interfaces (api_id);

create table application_keys (
  id uuid primary key,
  application_id uuid not null references applications on delete cascade,
  sealed text not null,
  hint text not null,
  created_at timestamptz not null,
  created_by uuid,
  valid_until timestamptz,
  last_used_at timestamptz
);
comment on table application_keys is 'Keys with which applications sign their calls: one, or two during rotation.';
comment on column application_keys.sealed is 'The key, encrypted and not hashed, because verifying a signature needs it.';
comment on column application_keys.hint is 'Its last characters, to tell two keys apart.';
create index application_keys_application on application_keys (application_id, created_at desc);

-- Sessions ------------------------------------------------------------------------------------------------------------

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
  end_reason text,
  second_factor text check (second_factor in ('totp', 'recovery', 'passkey', 'device')),
  second_factor_at timestamptz,
  account text,
  name text,
  name_pinyin text,
  name_initials text,
  phone text,
  mailbox text,
  profile_due boolean not null default false
);
comment on column sso_sessions.limited is 'Opened by a person who must change the password first: valid for nothing else.';
comment on column sso_sessions.profile_due is 'Opened while the person lacked a field that a rule requires: valid for completing it, until nothing lacks any more.';
comment on column sso_sessions.expires_at is 'The absolute timeout; the idle timeout follows from last_seen_at.';
comment on column sso_sessions.second_factor is 'The second factor that was verified, if any; device: a trusted browser.';
comment on column sso_sessions.account is 'This and the following five: copied from users by triggers while the session lasts, because joining 25,000 people for a search takes 100 ms.';
create index sso_sessions_user on sso_sessions (user_id) where ended_at is null;
create index sso_sessions_opened on sso_sessions (opened_at desc, id desc) where ended_at is null;

create function fill_names_of_login() returns trigger language plpgsql as $$
begin
  select u.account, u.name, u.name_pinyin, u.name_initials, u.phone, u.mailbox
  into new.account, new.name, new.name_pinyin, new.name_initials, new.phone, new.mailbox
  -- A name that is just being changed is waited for.
  from users u where u.id = new.user_id for no key update;
  return new;
end
$$;
create trigger fill_names before insert on sso_sessions for each row execute function fill_names_of_login();

create function change_names_of_logins() returns trigger language plpgsql as $$
begin
  update sso_sessions set account = new.account, name = new.name, name_pinyin = new.name_pinyin,
    name_initials = new.name_initials, phone = new.phone, mailbox = new.mailbox
  where user_id = new.id and ended_at is null;
  return null;
end
$$;
create trigger change_names_of_logins after update of account, name, name_pinyin, name_initials, phone, mailbox on users
  for each row when ((old.account, old.name, old.name_pinyin, old.name_initials, old.phone, old.mailbox)
    is distinct from (new.account, new.name, new.name_pinyin, new.name_initials, new.phone, new.mailbox))
  execute function change_names_of_logins();

create table portal_sessions (
  id uuid primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  cookie_hash bytea not null unique,
  token_hash bytea not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index portal_sessions_sso on portal_sessions (sso_session_id);

create table reauthentications (
  portal_session_id uuid primary key references portal_sessions on delete cascade,
  method text not null,
  reauthenticated_at timestamptz not null
);
comment on table reauthentications is 'The last reauthentication in a portal session. Valid for a few minutes, for this session only, and until the password changes (passwords.changed_at).';

create table known_devices (
  user_id uuid not null references users on delete cascade,
  device_hash bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
comment on table known_devices is 'Browsers that logged in to this account before: exempt from a lock caused by strangers, with their own counter. Only the newest few per person.';

create unlogged table ephemeral_state (
  kind text not null,
  key bytea not null,
  value jsonb not null,
  expires_at timestamptz not null,
  hits int not null default 0,
  put_at timestamptz not null default now(),
  primary key (kind, key)
);
comment on column ephemeral_state.put_at is 'So that a clock that is set back does not keep entries alive for hours.';
create index ephemeral_state_expiry on ephemeral_state (expires_at);

create table replay_marks (
  mark bytea primary key,
  expires_at timestamptz not null
);
create index replay_marks_expiry on replay_marks (expires_at);

-- CAS -----------------------------------------------------------------------------------------------------------------

create table session_services (
  id uuid primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null,
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
-- Rows that every hop writes do not reference the application: it is never deleted, and checking locked its one row for all hops at once.
comment on table session_services is 'Service and proxy tickets: valid for one validation, afterwards the record that single logout needs.';
comment on column session_services.service_url is 'As received; service is the canonical form that a validation must match.';
comment on column session_services.browser is 'The portal''s own tickets are bound to the browser they were issued to.';
comment on column session_services.ticket is 'Plain text, set once the ticket is validated: single logout has to name it.';
create index session_services_session on session_services (sso_session_id);

create table proxy_granting_tickets (
  ticket_hash bytea primary key,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null references applications on delete cascade,
  proxies text[] not null,
  created_at timestamptz not null
);
create index proxy_granting_tickets_session on proxy_granting_tickets (sso_session_id);

-- OpenID Connect ------------------------------------------------------------------------------------------------------

create table signing_keys (
  kid text primary key,
  alg text not null check (alg in ('RS256', 'ES256')),
  public_jwk jsonb not null,
  private_jwk text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  verifies_until timestamptz
);
comment on column signing_keys.private_jwk is 'Encrypted with SECRET_KEY.';
comment on column signing_keys.signs_from is 'Published earlier, so that relying parties know a key when its first signature arrives.';
comment on column signing_keys.verifies_until is 'Set when a newer key replaces it; published until then.';
create index signing_keys_alg on signing_keys (alg, signs_from);

create unlogged table oidc_codes (
  code_hash bytea primary key,
  sso_session_id uuid not null,
  application_id uuid not null,
  value jsonb not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  uses integer not null default 0
);
comment on table oidc_codes is 'Kept for minutes after its expiry, so that a second use is detected. Lost in a crash; people then enter the application again.';
create index oidc_codes_issued on oidc_codes (issued_at);

create table session_clients (
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null,
  sid text not null,
  subject text not null,
  first_at timestamptz not null,
  primary key (sso_session_id, application_id)
);
comment on table session_clients is 'OpenID clients that a session logged in to: back-channel logout needs sid and subject.';

create table consents (
  user_id uuid not null references users on delete cascade,
  application_id uuid not null references applications on delete cascade,
  scopes text[] not null,
  given_at timestamptz not null,
  primary key (user_id, application_id)
);
create index consents_application on consents (application_id);

create table oidc_refresh_tokens (
  token_hash bytea primary key,
  grant_id text not null,
  sso_session_id uuid not null references sso_sessions on delete cascade,
  application_id uuid not null,
  value jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  answer text
);
comment on table oidc_refresh_tokens is 'A used token is kept until it would have expired: presenting it again revokes its whole family.';
comment on column oidc_refresh_tokens.answer is 'The response to the use of this token, encrypted: for a retry of a confidential client within seconds; deleted minutes later.';
create index oidc_refresh_tokens_session on oidc_refresh_tokens (sso_session_id);
create index oidc_refresh_tokens_expiry on oidc_refresh_tokens (expires_at);
create index oidc_refresh_tokens_answers on oidc_refresh_tokens (consumed_at) where answer is not null;

create unlogged table oidc_access_tokens (
  token_hash bytea primary key,
  grant_id text,
  sso_session_id uuid,
  application_id uuid not null,
  value jsonb not null,
  expires_at timestamptz not null
);
comment on table oidc_access_tokens is 'Without a session: client credentials. Lost in a crash; applications then refresh.';
create index oidc_access_tokens_expiry on oidc_access_tokens (expires_at);
create index oidc_access_tokens_session on oidc_access_tokens (sso_session_id) where sso_session_id is not null;

create table oidc_revoked_grants (
  grant_id text primary key,
  revoked_at timestamptz not null
);
comment on table oidc_revoked_grants is 'Checked at each use of a token, so that a token issued while its family was being revoked is invalid too.';
create index oidc_revoked_grants_at on oidc_revoked_grants (revoked_at);

-- Single logout -------------------------------------------------------------------------------------------------------

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
  finished_at timestamptz,
  protocol text not null default 'cas' check (protocol in ('cas', 'oidc')),
  subject text
);
comment on column logout_deliveries.ticket is 'What identifies the session to the application: the ticket, or the sid.';
create index logout_deliveries_due on logout_deliveries (application_id, next_attempt_at) where state = 'pending';
create index logout_deliveries_application on logout_deliveries (application_id, created_at desc);
create index logout_deliveries_front on logout_deliveries (sso_session_id, id) where state = 'pending' and channel = 'front-channel';
create index logout_deliveries_failed on logout_deliveries (finished_at) where state = 'failed';
create index logout_deliveries_session on logout_deliveries (sso_session_id);

-- Withdrawn access ----------------------------------------------------------------------------------------------------

create unlogged table access_changes (
  id bigint generated always as identity primary key,
  application_id uuid,
  user_id uuid
);
comment on table access_changes is 'Whose access may have been reduced: an application, a person, or (both null) everybody. A job ends what they may no longer have open; authorization itself reads the grants. If lost in a crash, applications are notified when the session ends.';

create function note_lost_grants() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) select distinct application_id from former;
  return null;
end $$;
create trigger application_grants_deleted after delete on application_grants
  referencing old table as former for each statement execute function note_lost_grants();
create trigger application_grants_updated after update on application_grants
  referencing old table as former for each statement execute function note_lost_grants();

create function note_closed_application() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) values (new.id);
  return null;
end $$;
create trigger applications_closed after update of enabled, type on applications
  for each row when (old.enabled and not new.enabled or old.type = 'whitelist' and new.type <> 'whitelist')
  execute function note_closed_application();

-- Only people with an open session: a nightly import changes thousands without one.
create function note_former_members() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id)
  select distinct f.user_id from former f
  where exists (select from sso_sessions s where s.user_id = f.user_id and s.ended_at is null);
  return null;
end $$;
create trigger role_members_deleted after delete on role_members
  referencing old table as former for each statement execute function note_former_members();
create trigger user_organizations_deleted after delete on user_organizations
  referencing old table as former for each statement execute function note_former_members();
create trigger user_organizations_updated after update on user_organizations
  referencing old table as former for each statement execute function note_former_members();

create function note_moved_person() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id)
  select new.id where exists (select from sso_sessions s where s.user_id = new.id and s.ended_at is null);
  return null;
end $$;
create trigger users_moved after update of organization_id, category_id on users
  for each row when (old.organization_id is distinct from new.organization_id or old.category_id is distinct from new.category_id)
  execute function note_moved_person();

create function note_moved_organizations() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id) values (null);
  return null;
end $$;
create trigger organizations_moved after update of ancestor_ids on organizations
  for each statement execute function note_moved_organizations();

-- Records applications and not people, because a group may hold a whole university.
create function note_former_groups() returns trigger language plpgsql as $$
begin
  insert into access_changes (application_id)
  select distinct g.application_id from former f
    join application_grants g on g.subject_kind = 'role' and g.subject_id = f.role_id;
  return null;
end $$;
create trigger role_member_groups_deleted after delete on role_member_groups
  referencing old table as former for each statement execute function note_former_groups();
create trigger role_member_groups_updated after update on role_member_groups
  referencing old table as former for each statement execute function note_former_groups();

-- Messages ------------------------------------------------------------------------------------------------------------

create table messages (
  id uuid primary key,
  user_id uuid references users on delete set null,
  channel text not null check (channel in ('mail', 'sms', 'wecom', 'dingtalk', 'http')),
  template text not null,
  language text not null,
  masked_to text not null,
  target_hash bytea not null,
  sealed text,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  expires_at timestamptz not null,
  gateway text,
  gateway_id text,
  reason text,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  route_id uuid,
  fall_over_at timestamptz,
  error_code text
);
comment on table messages is 'Written in the transaction of their cause, so that a message is neither lost nor sent for something that was rolled back.';
comment on column messages.target_hash is 'Keyed hash of the address or number, for rate limits; the address itself is only shown masked.';
comment on column messages.sealed is 'Address and values (such as a verification code), encrypted; deleted once the message is sent, failed or expired.';
comment on column messages.gateway is 'Gateway of the last attempt: smtp, aliyun, tencent, gateway, outbox; gateway_id is its message id.';
comment on column messages.reason is 'Reason code of the last failure; last_error holds the gateway''s message, without address and values.';
comment on column messages.error_code is 'The other side''s code of the last failure, such as 81013 or isv.AMOUNT_NOT_ENOUGH; null: it gave none.';
comment on column messages.route_id is 'The first message of the route that this one continues; null: it is the first, or the only one.';
comment on column messages.fall_over_at is 'From then on the next channel of the route has its turn, unless an attempt is under way; null: there is no next one.';
create index messages_due on messages (channel, expires_at) where state = 'pending';
create index messages_target on messages (target_hash, created_at desc);
create index messages_created on messages (channel, created_at desc);
create index messages_user on messages (user_id, created_at desc);
create index messages_failed on messages (finished_at) where state = 'failed';
create index messages_fall_over on messages (fall_over_at) where state = 'pending' and fall_over_at is not null;
create index messages_log on messages (created_at desc, id desc);
-- Codes that did not leave are few.
create index messages_lost on messages (finished_at) where state in ('failed', 'expired');
-- Whether another channel of the route brought it.
create index messages_route on messages (route_id) where route_id is not null;

create table message_gateways (
  channel text primary key check (channel in ('mail', 'sms', 'wecom', 'dingtalk', 'http')),
  failures int not null,
  down_until timestamptz,
  last_reason text
);
comment on table message_gateways is 'Consecutive failures of a channel''s gateway; after a few of them the gateway is down and not tried until down_until.';

create table message_usage (
  channel text not null,
  day date not null,
  used int not null,
  primary key (channel, day)
);
comment on table message_usage is 'Messages that were handed over or tried, of a day in the institution''s time zone: what quotas are compared with.';

create table outbox_messages (
  id uuid primary key,
  sealed text not null,
  created_at timestamptz not null
);
comment on table outbox_messages is 'Messages of a demo without mail server or SMS provider: the newest few, encrypted.';
create index outbox_messages_created on outbox_messages (created_at desc);

-- Background tasks and imports ----------------------------------------------------------------------------------------

create table background_tasks (
  id uuid primary key,
  kind text not null,
  owner_id uuid references users on delete cascade,
  client jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  done int not null default 0,
  total int not null,
  input jsonb not null,
  result jsonb,
  error text,
  cancel_asked_at timestamptz,
  runner uuid,
  attempts int not null default 0,
  heartbeat_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  error_params jsonb not null default '{}'
);
comment on column background_tasks.owner_id is 'Null: a schedule started it; it runs as the system.';
comment on column background_tasks.client is 'IP address, user agent and language of the request, for audit records and the wording of results.';
comment on column background_tasks.heartbeat_at is 'A running task whose heartbeat is stale is resumed by another node.';
comment on column background_tasks.error is 'Error code that ended it.';
comment on column background_tasks.error_params is 'Parameters of the error message, such as a name.';
create index background_tasks_open on background_tasks (created_at) where state in ('queued', 'running');
create index background_tasks_owner on background_tasks (owner_id, created_at desc);
create index background_tasks_created on background_tasks (created_at desc);

create table organization_endings (
  task_id uuid primary key references background_tasks on delete cascade,
  organization_id uuid not null,
  kind text not null check (kind in ('merge', 'delete')),
  taker_ids uuid[] not null,
  people int not null default 0,
  secondary_members int not null default 0,
  result jsonb,
  members int not null default 0
);
comment on table organization_endings is 'While its task is queued or running, the organization accepts no changes and no new members. The block ends with the task, so that nothing has to be cleaned up.';
comment on column organization_endings.taker_ids is 'Successors that receive people and children; they must not be deleted meanwhile.';
comment on column organization_endings.people is 'People moved so far (likewise secondary_members), kept here so that an interrupted task can resume. members also counts people whom the person who ends it may not see.';
comment on column organization_endings.result is 'Set together with the deletion of the organization, so that a task interrupted right after it does nothing twice.';
create index organization_endings_organization on organization_endings (organization_id);

create table user_imports (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  file_name text not null,
  format text not null check (format in ('csv', 'xlsx')),
  encoding text not null,
  separator text not null,
  state text not null check (state in ('reading', 'read', 'checking', 'checked', 'importing', 'finished', 'cancelled', 'failed', 'undoing', 'undone')),
  headings jsonb not null default '[]',
  mapping jsonb not null default '[]',
  row_count int not null default 0,
  counts jsonb not null default '{}',
  undo_counts jsonb,
  task_id uuid references background_tasks on delete set null,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  staged_bytes bigint not null default 0
);
comment on column user_imports.mapping is 'The field that each column of the file fills, or null.';
comment on column user_imports.staged_bytes is 'Size of the staged rows, for a limit per person; 0 once they are deleted.';
create index user_imports_owner on user_imports (owner_id, created_at desc);
create index user_imports_created on user_imports (created_at desc);

create table user_import_rows (
  import_id uuid not null references user_imports on delete cascade,
  row int not null,
  cells text not null,
  notes jsonb,
  keys text[],
  outcome text check (outcome in ('new', 'changed', 'doubtful', 'unchanged', 'bad')),
  accepted boolean not null default false,
  problems jsonb,
  user_id uuid,
  before jsonb,
  after jsonb,
  written boolean not null default false,
  undo text,
  primary key (import_id, row)
);
comment on column user_import_rows.row is 'As a spreadsheet counts them.';
comment on column user_import_rows.cells is 'The cells of the file, encrypted, because ID numbers are among them.';
comment on column user_import_rows.notes is 'Remarks of the reader about single cells: formula, merged cell, inexact number.';
comment on column user_import_rows.accepted is 'Of a doubtful row: somebody has looked at it and wants it imported.';
comment on column user_import_rows.before is 'The changed fields before the import, and "after" afterwards, for undo.';
comment on column user_import_rows.undo is 'Result of the undo: undone, or why not.';
comment on column user_import_rows.keys is 'What must be unique within the file: account and login names.';
create index user_import_rows_outcome on user_import_rows (import_id, outcome, row);

create table user_import_columns (
  owner_id uuid not null references users on delete cascade,
  heading text not null,
  field text,
  updated_at timestamptz not null,
  primary key (owner_id, heading)
);
comment on table user_import_columns is 'The field that a person last chose for a heading.';

create table job_runs (
  name text primary key,
  cron text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  ms int,
  failed_at timestamptz,
  error text,
  failures int not null default 0
);
comment on column job_runs.error is 'The name of the last error, never its message, which may quote data.';
comment on column job_runs.failures is 'Consecutive failures; 0 after a successful run.';

-- Dormancy -----------------------------------------------------------------------------------------------------------

create table dormancy_notices (
  user_id uuid primary key references users on delete cascade,
  term text not null check (term in ('dormant', 'lock')),
  due_at timestamptz not null,
  days_before int not null,
  messages int not null,
  at timestamptz not null
);
comment on table dormancy_notices is
  'Who has come so near to the end of a term that they are told. A login moves the end, which makes the row one of the past.';
comment on column dormancy_notices.days_before is 'The latest of the notices of this term; each goes once.';
comment on column dormancy_notices.messages is 'How many were sent; 0: there is no contact, or nothing to send by.';
create index dormancy_notices_due on dormancy_notices (due_at);

create table dormancy_runs (
  task_id uuid primary key references background_tasks on delete cascade,
  at timestamptz not null,
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  people int not null,
  dormant int not null default 0,
  locked int not null default 0,
  told int not null default 0,
  held boolean not null default false
);
comment on table dormancy_runs is 'One run each: its own moment, the last person it came to, and what it did. Held: what it would have done, and did not.';
create index dormancy_runs_at on dormancy_runs (at);

-- Records, partitioned by month ---------------------------------------------------------------------------------------

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
  ip_range text,
  rule_outcomes jsonb,
  second_factor text check (second_factor in ('totp', 'recovery', 'passkey', 'device')),
  account_mac integer,
  primary key (at, id)
) partition by range (at);
create table login_records_other partition of login_records default;
comment on column login_records.account is 'As typed if it is somebody''s login name, otherwise masked: people type passwords into the wrong field.';
comment on column login_records.account_mac is 'Of an unknown name that was typed: part of a keyed hash of the name, the address and the day, which tells different names apart. Null: somebody has the name, or the record is older than this column.';
comment on column login_records.ip_range is 'What the range of the address was called at that time.';
comment on column login_records.rule_outcomes is 'Which access rules applied, with their names and modes of that time; null: none.';
comment on column login_records.second_factor is 'The second factor that the login was proved with; device: a trusted browser.';
create index login_records_user on login_records (user_id, at desc);
create index login_records_session on login_records (sso_session_id);
create index login_records_ip on login_records (ip, at);
create index login_records_account on login_records (account text_pattern_ops, at);
create index login_records_application on login_records (application_id, at);
create index login_records_failed on login_records (at, id) where not succeeded;
create index login_records_rule_outcomes on login_records (at, id) where rule_outcomes is not null;
-- Tests and imports write no ID; one bucket for all of them would be long.
create index login_records_request on login_records using hash (request_id) where request_id <> '';

create table visit_records (
  id uuid not null,
  at timestamptz not null,
  user_id uuid not null,
  application_id uuid not null,
  entry text not null check (entry in ('portal', 'sign-on', 'application')),
  ip inet not null,
  client_type text not null,
  on_campus boolean not null,
  sso_session_id uuid,
  ip_range text,
  refusal text,
  primary key (at, id)
) partition by range (at);
create table visit_records_other partition of visit_records default;
comment on column visit_records.ip_range is 'What the range of the address was called at that time.';
comment on column visit_records.refusal is 'Why the application was not entered, as the gate says it; null: it was.';
create index visit_records_user on visit_records (user_id, at desc);
-- Visits of an application are counted from the index alone.
create index visit_records_application on visit_records (application_id, at desc) include (refusal);
create index visit_records_ip on visit_records (ip, at);
create index visit_records_refused on visit_records (at, id) where refusal is not null;

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
  user_id uuid,
  primary key (at, id)
) partition by range (at);
create table audit_records_other partition of audit_records default;
comment on column audit_records.user_id is 'Whose account the change concerns, whatever its target: shown in that person''s own records.';
create index audit_records_target on audit_records (target_kind, target_id, at desc);
create index audit_records_actor on audit_records (actor_id, at desc);
create index audit_records_user on audit_records (user_id, at desc);
create index audit_records_by_others on audit_records (target_kind, at desc, id desc)
  where user_id is null or actor_id is distinct from user_id;

create table api_call_records (
  id uuid not null,
  at timestamptz not null,
  application_id uuid not null,
  api_id text not null,
  status int not null,
  code text,
  ms int not null,
  ip inet not null,
  request_id text not null,
  primary key (at, id)
) partition by range (at);
create table api_call_records_other partition of api_call_records default;
comment on table api_call_records is 'API calls of applications, kept for some weeks; api_call_hours keeps counts for longer.';
create index api_call_records_application on api_call_records (application_id, at desc, id desc);
create index api_call_records_refused on api_call_records (application_id, at desc, id desc) where status >= 400;

create function ensure_record_partitions(first_month date, months int) returns void language plpgsql as $$
declare
  month date;
  kind text;
  name text;
begin
  for i in 0 .. months - 1 loop
    month := (date_trunc('month', first_month) + make_interval(months => i))::date;
    foreach kind in array array['login_records', 'visit_records', 'audit_records', 'api_call_records'] loop
      name := kind || '_' || to_char(month, 'YYYY_MM');
      if to_regclass(name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          name, kind, month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      end if;
    end loop;
  end loop;
end $$;

-- Statistics ----------------------------------------------------------------------------------------------------------

create table statistics_progress (
  single boolean primary key default true check (single),
  counted_until timestamptz not null,
  first_hour timestamptz not null,
  recounted_until timestamptz not null
);
comment on table statistics_progress is 'Hours before counted_until are final; later ones are counted again each minute.';
comment on column statistics_progress.recounted_until is 'Earlier hours also contain what was written up to two days late, once they are before counted_until.';

create table login_hours (
  hour timestamptz not null,
  auth_type text not null,
  succeeded boolean not null,
  on_campus boolean not null,
  logins int not null,
  primary key (hour, auth_type, succeeded, on_campus)
);

create table application_hours (
  hour timestamptz not null,
  application_id uuid not null,
  visits int not null default 0,
  campus_visits int not null default 0,
  failures int not null default 0,
  primary key (hour, application_id)
);
create index application_hours_application on application_hours (application_id, hour);

create table api_call_hours (
  hour timestamptz not null,
  application_id uuid not null,
  api_id text not null,
  calls int not null,
  failures int not null,
  ms bigint not null,
  primary key (hour, application_id, api_id)
);
create index api_call_hours_application on api_call_hours (application_id, hour);

create table day_people (
  day date not null,
  application_id uuid not null,
  user_id uuid not null,
  primary key (day, application_id, user_id)
);
comment on table day_people is 'People per day and application, for the last days only, to count distinct people. The nil application means a login.';

create table day_figures (
  day date not null,
  application_id uuid not null,
  people int not null,
  primary key (application_id, day)
);
comment on table day_figures is 'Distinct people per day in the institution''s time zone; kept when rows of day_people are deleted.';
create index day_figures_day on day_figures (day, application_id);

create table figures (
  name text primary key,
  value jsonb not null,
  counted_at timestamptz not null
);
comment on table figures is 'Totals that are too expensive to count on request, counted by a job.';

-- Log centre ---------------------------------------------------------------------------------------------------------

-- The time line of the logs, and how many lines each of their most asked values has. One value at a time is counted: what
-- several have in common is counted when it is asked.

create table log_hours (
  log text not null check (log in ('login', 'visit')),
  -- 'all', or the filter whose values are counted.
  facet text not null,
  value text not null,
  hour timestamptz not null,
  succeeded int not null,
  refused int not null,
  primary key (log, facet, value, hour)
);
create index log_hours_hour on log_hours (log, hour);
comment on table log_hours is 'Records of an hour by one value of theirs, from login_records and visit_records.';

-- So that a year of them is read in a moment.
create table log_days (
  log text not null,
  facet text not null,
  value text not null,
  day timestamptz not null,
  succeeded int not null,
  refused int not null,
  primary key (log, day, facet, value)
);
comment on table log_days is 'log_hours by days of UTC.';

-- The evidence that records are as they were written: each hour's digest covers the one before, and is sealed with a key that the
-- database does not have.

create table record_chain (
  log text not null check (log in ('login', 'visit', 'audit')),
  -- Up to a moment: the hour before it.
  until timestamptz not null,
  rows int not null,
  digest text not null,
  seal text not null,
  primary key (log, until)
);
comment on column record_chain.digest is 'SHA-256 (hex) over the digest of the hour before and the lines of this one.';
comment on column record_chain.seal is 'Hour, number of lines, both digests, encrypted with SECRET_KEY.';

create table log_exports (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  task_id uuid,
  log text not null check (log in ('login', 'visit')),
  filters jsonb not null,
  columns text[] not null,
  format text not null check (format in ('csv', 'xlsx')),
  time_zone text not null,
  language text not null,
  state text not null default 'reading' check (state in ('reading', 'writing', 'ready')),
  rows int not null default 0,
  -- Where reading goes on; null: it has not begun, or is done.
  next text,
  parts int not null default 0,
  -- The oldest record in the file, when there were more than it takes.
  cut_at timestamptz,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  ready_at timestamptz
);
create index log_exports_owner on log_exports (owner_id, log, created_at);
create index log_exports_created on log_exports (created_at);

create table log_export_parts (
  export_id uuid not null references log_exports on delete cascade,
  -- rows: compressed cells, until the file is made of them.
  kind text not null check (kind in ('rows', 'file')),
  part int not null,
  data bytea not null,
  primary key (export_id, kind, part)
);
alter table log_export_parts alter column data set storage external;
comment on table log_export_parts is 'The file of an export in pieces, each compressed.';

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

-- Records that are sent to other systems as they are written.

create table log_streams (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  kind text not null check (kind in ('syslog', 'https')),
  logs text[] not null check (cardinality(logs) > 0 and logs <@ array['login', 'visit', 'audit']),
  enabled boolean not null,
  host text not null,
  port int not null,
  tls text not null check (tls in ('verify', 'off')),
  ca text not null,
  facility int not null check (facility between 0 and 23),
  url text not null,
  secret text,
  note text not null,
  updated_at timestamptz not null,
  -- The node that sends just now; nobody else does until then.
  sender uuid,
  sender_until timestamptz,
  failures int not null default 0,
  next_attempt_at timestamptz,
  problem text,
  problem_words text,
  problem_at timestamptz,
  sent_at timestamptz
);
comment on column log_streams.secret is 'With which batches are signed, encrypted with SECRET_KEY.';
comment on column log_streams.failures is 'In a row; 0: the last attempt went well.';

create table log_stream_cursors (
  stream_id uuid not null references log_streams on delete cascade,
  log text not null check (log in ('login', 'visit', 'audit')),
  -- The last record that arrived.
  at timestamptz not null,
  record_id uuid not null,
  sent bigint not null default 0,
  primary key (stream_id, log)
);

-- IP ranges and access rules -----------------------------------------------------------------------------------------

create table ip_ranges (
  id uuid primary key,
  name text not null unique,
  names jsonb not null default '{}',
  kind text not null check (kind in ('campus', 'trusted', 'blocked', 'other')),
  networks cidr[] not null check (cardinality(networks) > 0),
  note text not null default '',
  enabled boolean not null default true,
  source text not null default 'manual' check (source in ('manual', 'import')),
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table ip_ranges is 'Which range an address is in, its smallest network decides; at most 10,000 ranges.';

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

-- Data sources and directory syncs -----------------------------------------------------------------------------------

create table data_sources (
  id uuid primary key,
  name text not null unique,
  kind text not null check (kind in ('postgresql', 'mysql', 'sqlserver', 'oracle', 'ldap', 'ad',
    'rest', 'scim', 'csv-sftp', 'csv-upload', 'wecom', 'dingtalk')),
  host text not null default '',
  port int not null default 0,
  database text not null default '',
  user_name text not null default '',
  -- Sealed; null: there is none.
  password text,
  tls text not null default 'verify' check (tls in ('off', 'require', 'verify')),
  ca text not null default '',
  timeout_seconds int not null default 60,
  options jsonb not null default '{}',
  note text not null default '',
  check_state text not null default 'untested' check (check_state in ('untested', 'ok', 'failing')),
  check_problem text,
  checked_at timestamptz,
  file_name text,
  file_rows int,
  file_sha256 bytea,
  file_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table data_sources is 'Other systems that people are read from; at most 100.';
comment on column data_sources.options is 'What only some kinds have; no secret is among it.';

create table data_source_chunks (
  source_id uuid not null references data_sources on delete cascade,
  chunk int not null,
  -- Sealed.
  data text not null,
  primary key (source_id, chunk)
);
comment on table data_source_chunks is 'The file of a source that is an uploaded file, in pieces.';

create table directory_syncs (
  id uuid primary key,
  name text not null unique,
  source_id uuid not null references data_sources,
  objects text not null default 'people' check (objects in ('people', 'departments', 'both')),
  rank int not null default 50,
  table_name text not null default '',
  key_column text not null,
  mapping jsonb not null,
  match_by text[] not null,
  thresholds jsonb not null,
  leavers jsonb not null,
  departments jsonb,
  schedule jsonb,
  next_run_at timestamptz,
  responsible_ids uuid[] not null default '{}',
  cursor_column text,
  cursor_key text,
  cursor_value text,
  events_seen bigint not null default 0,
  full_run_due_since timestamptz,
  note text not null default '',
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table directory_syncs is 'Which people of a source become which people here, and what of it is held for a person to look at.';
comment on column directory_syncs.rank is 'Of a field that several syncs fill for the same person or department the lowest one owns it.';
comment on column directory_syncs.departments is 'Which rows of the source become which departments; null: it reads people alone.';
comment on column directory_syncs.cursor_column is 'The column by which changed rows are told; null: every run reads all.';
comment on column directory_syncs.cursor_key is 'The table and column that the cursor is of: of another one it says nothing.';
comment on column directory_syncs.cursor_value is 'How far the last applied run saw; written with its end, never before.';
comment on column directory_syncs.full_run_due_since is 'When events were left to the next full run, because they named more people than are read by name.';
comment on column directory_syncs.events_seen is 'The last of its source''s events whose people a run has read again.';
create index directory_syncs_source on directory_syncs (source_id);
create index directory_syncs_due on directory_syncs (next_run_at) where next_run_at is not null;

create table directory_links (
  sync_id uuid not null references directory_syncs on delete cascade,
  external_id text not null,
  user_id uuid not null references users on delete cascade,
  -- Applied complete runs in a row without this person, and since when.
  missing_runs int not null default 0,
  missing_since timestamptz,
  taken jsonb,
  linked_at timestamptz,
  run_id uuid,
  fingerprint text,
  person_hash bigint,
  primary key (sync_id, external_id),
  unique (sync_id, user_id)
);
comment on table directory_links is 'Who somebody of a sync is here: by the key of the source, never by a name.';
comment on column directory_links.taken is
  'The fields that sync took from somebody who was missing, before and after; null: nothing. Empty once somebody here has decided otherwise.';
comment on column directory_links.run_id is 'The run that linked them.';
comment on column directory_links.fingerprint is
  'Keyed hash of what the source said when the person was last found or made to agree with it; null: unknown.';
comment on column directory_links.person_hash is 'Hash of the person''s fields at that time. Together they tell that nothing has to be done.';
create index directory_links_user on directory_links (user_id);

create table directory_department_links (
  sync_id uuid not null references directory_syncs on delete cascade,
  external_id text not null,
  organization_id uuid not null references organizations on delete cascade,
  -- Applied complete runs in a row without this department, and since when.
  missing_runs int not null default 0,
  missing_since timestamptz,
  -- The version that it had after sync disabled it; null: sync took nothing.
  taken_version int,
  linked_at timestamptz,
  run_id uuid,
  primary key (sync_id, external_id),
  unique (sync_id, organization_id)
);
comment on table directory_department_links is 'Which department of a sync is which here: by the key of the source, never by its name.';
comment on column directory_department_links.run_id is 'The run that linked them.';
create index directory_department_links_organization on directory_department_links (organization_id);

create table directory_sync_runs (
  id uuid primary key,
  sync_id uuid not null references directory_syncs on delete cascade,
  source_id uuid not null references data_sources on delete cascade,
  task_id uuid references background_tasks on delete set null,
  objects text not null default 'people' check (objects in ('people', 'departments')),
  mode text not null default 'full' check (mode in ('full', 'incremental')),
  state text not null check (state in
    ('reading', 'planning', 'planned', 'held', 'applying', 'done', 'failed', 'cancelled', 'discarded', 'undoing', 'undone')),
  state_before_undo text not null default 'done' check (state_before_undo in ('done', 'failed', 'cancelled')),
  dry_run boolean not null,
  is_complete boolean not null default true,
  sync_version int not null,
  source_version int not null,
  rows_read int not null default 0,
  counts jsonb not null default '{}',
  undo jsonb,
  cursor_before text,
  cursor_after text,
  events_until bigint,
  held_for jsonb not null default '[]',
  problem text,
  words text not null default '',
  reason text,
  started_by uuid references users on delete set null,
  decided_by uuid references users on delete set null,
  undone_by uuid references users on delete set null,
  undo_reason text,
  started_at timestamptz not null,
  finished_at timestamptz
);
comment on column directory_sync_runs.objects is 'What this run reads: of a sync of both, the run of people follows that of departments.';
comment on column directory_sync_runs.events_until is 'Up to which event this run reads again whom they name; null: it reads what its mode says.';
create unique index directory_sync_runs_one on directory_sync_runs (source_id)
  where state in ('reading', 'planning', 'applying', 'undoing');
create index directory_sync_runs_sync on directory_sync_runs (sync_id, started_at desc);
comment on index directory_sync_runs_one is 'One run of a source at a time, over all nodes.';

create table directory_sync_rows (
  run_id uuid not null references directory_sync_runs on delete cascade,
  row int not null,
  external_id text not null,
  -- Sealed; null of somebody who is missing.
  cells text,
  outcome text check (outcome in
    ('new', 'changed', 'moved', 'unchanged', 'bad', 'conflict', 'ignored', 'protected', 'missing', 'leaver', 'changed-since')),
  user_id uuid,
  organization_id uuid,
  before jsonb,
  after jsonb,
  taken jsonb,
  problems jsonb,
  is_applied boolean not null default false,
  undo text,
  primary key (run_id, row)
);
comment on column directory_sync_rows.organization_id is 'Of a department: which it is here, or is to be.';
comment on column directory_sync_rows.taken is 'What the row gave back to somebody who was missing before: what an undo takes again.';
comment on column directory_sync_rows.undo is 'What became of the row when its run was undone; null: it was not.';
create index directory_sync_rows_outcome on directory_sync_rows (run_id, outcome, row);
create index directory_sync_rows_external on directory_sync_rows (run_id, external_id);

create table directory_matches (
  sync_id uuid not null references directory_syncs on delete cascade,
  external_id text not null,
  kind text not null check (kind in
    ('several-people', 'account-taken', 'other-account', 'linked-already', 'renamed', 'deleted-here', 'recreated')),
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

-- Address books and mailboxes of vendors -----------------------------------------------------------------------------

create table book_syncs (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  vendor text not null check (vendor in ('qywx', 'dingding', 'exmail', 'coremail')),
  application text not null,
  host text not null,
  secret text,
  roots jsonb not null,
  category_ids uuid[] not null,
  fields text[] not null,
  leavers text not null check (leavers in ('keep', 'disable', 'delete')),
  thresholds jsonb not null,
  schedule jsonb,
  next_run_at timestamptz,
  responsible_ids uuid[] not null default '{}',
  mode text not null default 'on' check (mode in ('off', 'preview', 'on')),
  coremail jsonb,
  note text not null,
  updated_at timestamptz not null,
  constraint book_syncs_no_mailbox_deleted check (leavers <> 'delete' or vendor not in ('exmail', 'coremail'))
);
comment on table book_syncs is 'Which departments and people stand in which address book of WeCom or DingTalk, and what holds a run.';
comment on column book_syncs.secret is 'Of the application that may write there, encrypted with SECRET_KEY.';
comment on column book_syncs.responsible_ids is 'Super users who are told when a run waits or has failed.';
comment on column book_syncs.mode is 'Off: no runs. Preview: runs plan and write nothing.';
comment on column book_syncs.coremail is 'Organisation, provider and class of service of new mailboxes; null for other vendors.';
create index book_syncs_due on book_syncs (next_run_at) where next_run_at is not null;
create unique index book_syncs_one_mail_provider on book_syncs ((true)) where vendor in ('exmail', 'coremail');

create table book_links (
  sync_id uuid not null references book_syncs on delete cascade,
  kind text not null check (kind in ('department', 'person')),
  local_id uuid not null,
  external_id text not null,
  -- What was sent last, sealed: some vendors don't tell it again.
  sent text,
  -- A run disabled them there.
  is_disabled boolean not null default false,
  missing_since timestamptz,
  primary key (sync_id, kind, local_id),
  unique (sync_id, kind, external_id)
);
comment on table book_links is 'Who somebody, and which department, is in an address book.';

create table book_runs (
  id uuid primary key,
  sync_id uuid not null references book_syncs on delete cascade,
  task_id uuid references background_tasks on delete set null,
  state text not null check (state in
    ('reading', 'planned', 'held', 'applying', 'done', 'failed', 'cancelled', 'discarded', 'undoing', 'undone')),
  state_before_undo text not null default 'done' check (state_before_undo in ('done', 'failed', 'cancelled')),
  dry_run boolean not null,
  sync_version int not null,
  rows_read int not null default 0,
  counts jsonb not null default '{}',
  -- Rows of the plan to be written, and those that were tried so far.
  to_write int not null default 0,
  tried int not null default 0,
  undo jsonb,
  held_for jsonb not null default '[]',
  problem text,
  words text not null default '',
  reason text,
  started_by uuid references users on delete set null,
  decided_by uuid references users on delete set null,
  undone_by uuid references users on delete set null,
  undo_reason text,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index book_runs_one on book_runs (sync_id) where state in ('reading', 'applying', 'undoing');
create index book_runs_sync on book_runs (sync_id, started_at desc);
comment on index book_runs_one is 'One run of a sync at a time, over all nodes.';

create table book_rows (
  run_id uuid not null references book_runs on delete cascade,
  row int not null,
  kind text not null check (kind in ('department', 'person')),
  local_id uuid not null,
  external_id text,
  outcome text not null check (outcome in
    ('new', 'changed', 'moved', 'unchanged', 'bad', 'conflict', 'missing', 'leaver', 'changed-since')),
  -- How it stands there and is to stand, sealed.
  plan text,
  fields text[] not null default '{}',
  problem jsonb,
  -- The call that creates it may have been made.
  is_attempted boolean not null default false,
  is_applied boolean not null default false,
  undo text,
  is_undo_attempted boolean not null default false,
  primary key (run_id, row)
);
create index book_rows_outcome on book_rows (run_id, outcome, row);
comment on column book_rows.is_undo_attempted is 'The vendor may have received the call that undoes it.';
comment on table book_rows is 'What a run would do, or did, to each department and person in an address book.';

create table corporate_mailbox (
  -- There is one.
  id int primary key default 1 check (id = 1),
  version int not null default 1,
  enabled boolean not null,
  settings jsonb not null,
  secrets text not null,
  rules jsonb not null,
  updated_at timestamptz not null
);
comment on column corporate_mailbox.secrets is 'What of the settings nobody gets to read, encrypted with SECRET_KEY.';

-- SCIM clients -------------------------------------------------------------------------------------------------------

create table scim_clients (
  id uuid primary key,
  version int not null default 1,
  name text not null unique,
  enabled boolean not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['users.read', 'users.write',
    'organizations.read', 'organizations.write', 'roles.read', 'roles.write']),
  calls_per_minute int not null check (calls_per_minute > 0),
  max_disabled_per_day int not null check (max_disabled_per_day >= 0),
  max_moved_per_day int not null check (max_moved_per_day >= 0),
  max_renamed_per_day int not null check (max_renamed_per_day >= 0),
  max_created_per_day int check (max_created_per_day >= 0),
  note text not null,
  updated_at timestamptz not null,
  held jsonb not null default '{}',
  released_at timestamptz
);
comment on column scim_clients.held is 'When a change was last refused because of its limit, by kind.';
comment on column scim_clients.max_disabled_per_day is 'People, organisations and roles that it disables or deletes within 24 hours before it is held.';
comment on column scim_clients.max_created_per_day is 'Null: no limit, and nothing is counted.';
comment on column scim_clients.released_at is 'When somebody let it go on: what it changed before counts no more.';

create table scim_tokens (
  id uuid primary key,
  client_id uuid not null references scim_clients on delete cascade,
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null,
  created_by uuid references users on delete set null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
comment on column scim_tokens.hash is 'SHA-256 of the token, which is kept nowhere.';
create index scim_tokens_client on scim_tokens (client_id, created_at);
create index scim_tokens_creator on scim_tokens (created_by) where created_by is not null;

create table scim_user_links (
  client_id uuid not null references scim_clients on delete cascade,
  user_id uuid not null references users on delete cascade,
  external_id text,
  hidden_at timestamptz,
  taken_version int,
  primary key (client_id, user_id)
);
comment on column scim_user_links.external_id is 'What the client calls the person.';
comment on column scim_user_links.hidden_at is 'Deleted by the client: for it there is nobody any more.';
comment on column scim_user_links.taken_version is 'Of the person when the client disabled them: as long as nobody has changed them since, it may enable them again.';
create unique index scim_user_links_external on scim_user_links (client_id, external_id) where hidden_at is null;
create index scim_user_links_user on scim_user_links (user_id);

create table scim_group_links (
  client_id uuid not null references scim_clients on delete cascade,
  group_id uuid not null,
  external_id text,
  is_creator boolean not null default false,
  hidden_at timestamptz,
  primary key (client_id, group_id)
);
comment on table scim_group_links is 'Organisations and roles; one that is gone leaves a row that nothing reads.';
create unique index scim_group_links_external on scim_group_links (client_id, external_id) where hidden_at is null;

create table scim_changes (
  client_id uuid not null references scim_clients on delete cascade,
  kind text not null check (kind in ('disabled', 'moved', 'renamed', 'created')),
  target_id uuid not null,
  at timestamptz not null,
  primary key (client_id, kind, target_id)
);
comment on table scim_changes is 'What a client changed within the last 24 hours: a person, an organisation or a role once for each kind, with its last time.';
create index scim_changes_age on scim_changes (client_id, at);

-- Appearance and home page -------------------------------------------------------------------------------------------

create table themes (
  id uuid primary key,
  name text not null unique,
  names jsonb not null default '{}',
  design jsonb,
  draft jsonb,
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table themes is 'Colours and background of the pages; at most 50. Read key by key: what is missing or unknown is as shipped.';
comment on column themes.design is 'What is published; null: never.';
comment on column themes.draft is 'What is being worked on; null: nothing since it was published.';

create table announcements (
  id uuid primary key,
  titles jsonb not null,
  texts jsonb not null,
  url text,
  shown_from timestamptz,
  shown_until timestamptz,
  categories text[] not null,
  organizations uuid[] not null,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column announcements.categories is 'Codes of user categories. Nobody is named here and in organizations: everybody sees it.';

create table home_page_choices (
  user_id uuid primary key references users on delete cascade,
  favourites uuid[] not null default '{}',
  read_announcements uuid[] not null default '{}',
  updated_at timestamptz not null
);
comment on column home_page_choices.favourites is 'Applications in the order that the person gave them; one that was deleted is left out of whatever reads this.';
