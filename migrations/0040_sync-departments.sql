-- Syncs of departments, and mappings whose values are rewritten by fixed steps.

alter table directory_syncs
  add column objects text not null default 'people' check (objects in ('people', 'departments', 'both')),
  add column departments jsonb;
update directory_syncs set mapping = (
  select coalesce(jsonb_agg(one || '{"transforms": []}'::jsonb order by place), '[]')
  from jsonb_array_elements(mapping) with ordinality as m (one, place));
comment on column directory_syncs.departments is 'Which rows of the source become which departments; null: it reads people alone.';

alter table directory_sync_runs
  add column objects text not null default 'people' check (objects in ('people', 'departments'));
comment on column directory_sync_runs.objects is 'What this run reads: of a sync of both, the run of people follows that of departments.';

alter table directory_sync_rows
  add column organization_id uuid,
  drop constraint directory_sync_rows_outcome_check,
  add constraint directory_sync_rows_outcome_check check (outcome in
    ('new', 'changed', 'moved', 'unchanged', 'bad', 'conflict', 'protected', 'missing', 'leaver', 'changed-since'));
comment on column directory_sync_rows.organization_id is 'Of a department: which it is here, or is to be.';

create table directory_department_links (
  source_id uuid not null references data_sources on delete cascade,
  external_id text not null,
  organization_id uuid not null references organizations on delete cascade,
  -- Applied complete runs in a row without this department, and since when.
  missing_runs int not null default 0,
  missing_since timestamptz,
  -- The version that it had after sync disabled it; null: sync took nothing.
  taken_version int,
  primary key (source_id, external_id),
  unique (source_id, organization_id)
);
comment on table directory_department_links is 'Which department of a source is which here: by its own id, never by a name.';
create index directory_department_links_organization on directory_department_links (organization_id);
