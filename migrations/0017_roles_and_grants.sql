-- Roles ------------------------------------------------------------------------------------------------------------------

alter table roles
  add column description text not null default '',
  add column name_pinyin text not null default '',
  add column name_initials text not null default '',
  add column people int not null default 0,
  add column created_at timestamptz,
  add column updated_at timestamptz;
comment on column roles.people is 'Members named one by one that are not deleted, counted by triggers: a role may have a hundred thousand.';
update roles r set people = (
  select count(*) from role_members m join users u on u.id = m.user_id where m.role_id = r.id and u.deleted_at is null);

alter table role_members
  add column added_at timestamptz,
  add column added_by uuid;

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

create table role_member_groups (
  role_id uuid not null references roles on delete cascade,
  kind text not null check (kind in ('organization', 'category')),
  subject_id uuid not null,
  added_at timestamptz,
  added_by uuid,
  primary key (role_id, kind, subject_id)
);
comment on table role_member_groups is 'Members of a role that are no people: an organisation with all below it, a category. Who belongs to them has the role, without a row in role_members.';
create index role_member_groups_subject on role_member_groups (subject_id, kind, role_id);

-- Grants -----------------------------------------------------------------------------------------------------------------

alter table application_grants
  add column granted_at timestamptz,
  add column granted_by uuid,
  add column version int not null default 1;
comment on column application_grants.granted_by is 'Who gave it or changed its dates last; null: a file or the setup. The audit records tell the rest.';
create index application_grants_ends on application_grants (valid_until, application_id, subject_kind, subject_id);
create index application_grants_granted on application_grants (granted_at desc nulls last, application_id, subject_kind, subject_id);
create index application_grants_begins on application_grants (valid_from) where valid_from is not null;

alter table application_categories add column parent_id uuid references application_categories;
create index application_categories_parent on application_categories (parent_id);
comment on column application_categories.parent_id is 'Null at the top. There are two levels: a category with a parent has no children.';

-- What somebody loses with a role, a department or a category -------------------------------------------------------------

-- Nobody is named here, because a department may be a university: the applications behind the role look at who is inside.
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

-- A subject has no foreign key, being one of four kinds: what is deleted leaves neither grants nor memberships behind.
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

create trigger user_organizations_deleted after delete on user_organizations
  referencing old table as former for each statement execute function note_former_members();
create trigger user_organizations_updated after update on user_organizations
  referencing old table as former for each statement execute function note_former_members();
