-- Names of organisations, as they are looked for -----------------------------------------------------------------------

alter table organizations
  add column name_pinyin text,
  add column name_initials text;
comment on column organizations.name_pinyin is 'Null until it has been worked out; a job looks after rows that were written without it.';
create index organizations_pinyin on organizations (name_pinyin text_pattern_ops);
create index organizations_initials on organizations (name_initials text_pattern_ops);
create index organizations_code_search on organizations (lower(code) text_pattern_ops);
create index organizations_without_pinyin on organizations (id) where name_pinyin is null;

-- Words that organisations and people are filed under --------------------------------------------------------------------

create table organization_attributes (
  id uuid primary key,
  code text not null unique,
  name text not null,
  names jsonb not null default '{}',
  position int not null default 0,
  version int not null default 1
);
insert into organization_attributes (id, code, name, position)
select gen_random_uuid(), attribute, attribute, 1024 * row_number() over (order by attribute)
from (select distinct attribute from organizations where attribute is not null) used;
alter table organizations
  add constraint organizations_attribute_known foreign key (attribute) references organization_attributes (code);
create index organizations_attribute on organizations (attribute) where attribute is not null;

alter table user_categories add column version int not null default 1;
alter table personnel_natures add column version int not null default 1;

-- How many people are where: kept, because counting a million at every look is too slow ------------------------------------

create table people_counts (
  kind text not null check (kind in ('organization', 'category', 'nature')),
  id uuid not null,
  people bigint not null,
  primary key (kind, id)
);
comment on table people_counts is 'People that are not deleted, by what they are filed under; the nil UUID counts those without. The sum with people_count_changes is the truth at any moment.';

create table people_count_changes (
  number bigint generated always as identity primary key,
  kind text not null,
  id uuid not null,
  people int not null
);
comment on table people_count_changes is 'What writes of people change in people_counts, folded into it each minute. Only ever appended to, so that parallel imports never wait for each other.';

create function count_added_people() returns trigger language plpgsql as $$
begin
  insert into people_count_changes (kind, id, people)
  select k.kind, coalesce(k.id, '00000000-0000-0000-0000-000000000000'), count(*)
  from written w cross join lateral (values
    ('organization', w.organization_id), ('category', w.category_id), ('nature', w.personnel_nature_id)) k (kind, id)
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
    ('organization', f.organization_id), ('category', f.category_id), ('nature', f.personnel_nature_id)) k (kind, id)
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
    ('nature', old.personnel_nature_id, old.deleted_at, -1), ('nature', new.personnel_nature_id, new.deleted_at, 1)
  ) c (kind, id, deleted_at, step)
  where c.deleted_at is null group by 1, 2 having sum(c.step) <> 0;
  return null;
end $$;
-- By column and row: a login updates its person too, and must not pay for this.
create trigger users_refiled_counted after update of organization_id, category_id, personnel_nature_id, deleted_at on users
  for each row when (old.organization_id is distinct from new.organization_id or old.category_id is distinct from new.category_id
    or old.personnel_nature_id is distinct from new.personnel_nature_id
    or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function count_refiled_person();

insert into people_counts (kind, id, people)
select k.kind, coalesce(k.id, '00000000-0000-0000-0000-000000000000'), count(*)
from users u cross join lateral (values
  ('organization', u.organization_id), ('category', u.category_id), ('nature', u.personnel_nature_id)) k (kind, id)
where u.deleted_at is null group by 1, 2;
