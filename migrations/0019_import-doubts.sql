alter table user_import_rows drop constraint user_import_rows_outcome_check;
alter table user_import_rows add constraint user_import_rows_outcome_check
  check (outcome in ('new', 'changed', 'doubtful', 'unchanged', 'bad'));
alter table user_import_rows add column accepted boolean not null default false;
comment on column user_import_rows.accepted is 'Of a doubtful row: somebody has looked at it and wants it imported.';
