-- Several syncs of a source and of a person: links belong to a sync, and of a field the first of them decides.

alter table directory_syncs
  drop constraint directory_syncs_source_id_key,
  add column rank int not null default 50;
create index directory_syncs_source on directory_syncs (source_id);
comment on column directory_syncs.rank is 'Of a field that several syncs fill for the same person the lowest one owns it.';

alter table directory_links add column sync_id uuid references directory_syncs on delete cascade;
update directory_links l set sync_id = y.id from directory_syncs y where y.source_id = l.source_id;
delete from directory_links where sync_id is null;
alter table directory_links
  alter column sync_id set not null,
  drop column source_id,
  add primary key (sync_id, external_id),
  add unique (sync_id, user_id);
comment on table directory_links is 'Who somebody of a sync is here: by the key of the source, never by a name.';

alter table directory_department_links add column sync_id uuid references directory_syncs on delete cascade;
update directory_department_links l set sync_id = y.id from directory_syncs y where y.source_id = l.source_id;
delete from directory_department_links where sync_id is null;
alter table directory_department_links
  alter column sync_id set not null,
  drop column source_id,
  add primary key (sync_id, external_id),
  add unique (sync_id, organization_id);
comment on table directory_department_links is 'Which department of a sync is which here: by the key of the source, never by its name.';
