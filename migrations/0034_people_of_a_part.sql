-- Everything that a list asks of people, beside their organisation: those of a faculty are read from here alone, before anything
-- is asked of them. It is kept no longer than an index takes; what a name is found by is compared from its beginning.
-- At once, as nobody can be waited for who waits for this in turn.
lock table users in access exclusive mode;

update users set name_pinyin = left(name_pinyin, 100), name_initials = left(name_initials, 100)
where length(name_pinyin) > 100 or length(name_initials) > 100;

create index users_of_part on users (organization_id, account) include (id, name, name_pinyin, name_initials, category_id,
  personnel_nature_id, phone, mailbox, is_super_user, enabled, activated, locked_at, locked_until, frozen_from, frozen_until,
  dormant_since, valid_from, valid_until, created_at, deleted_at) where deleted_at is null;
create index users_deleted_of_part on users (organization_id) where deleted_at is not null;
drop index users_organization_account, users_inactive_organization;

-- Pages that hold changed rows are read beside an index until a vacuum has seen them; a fifth of a large table is too many.
alter table users set (autovacuum_vacuum_scale_factor = 0.02);

create index people_count_changes_of on people_count_changes (kind, id);

-- All who belonged there beside, for the records; `secondary_members` are those whom the person who ends it may know of.
alter table organization_endings add column members integer not null default 0;
update organization_endings set members = secondary_members;
