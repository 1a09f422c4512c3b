alter table background_tasks alter column owner_id drop not null;
comment on column background_tasks.owner_id is 'Null: a schedule started it; it runs as the system.';
