-- Whose account a change concerns ----------------------------------------------------------------------------------------

alter table audit_records add column user_id uuid;
comment on column audit_records.user_id is 'Whose account the change concerns, whatever its target is: the person sees it in their own records.';
update audit_records set user_id = target_id::uuid
  where target_kind = 'user' and target_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
create index audit_records_user on audit_records (user_id, at desc);

-- How a person wants to see a list ---------------------------------------------------------------------------------------

create table table_choices (
  user_id uuid not null references users on delete cascade,
  table_key text not null,
  columns text[] not null,
  density text not null check (density in ('comfortable', 'compact')),
  updated_at timestamptz not null,
  primary key (user_id, table_key)
);
comment on table table_choices is 'Only tables and columns that shared/contract/tables.ts names; anything else is refused before it gets here.';
