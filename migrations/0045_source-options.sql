-- Sources of further kinds, and what only some kinds have.

alter table data_sources drop constraint data_sources_kind_check;
alter table data_sources add constraint data_sources_kind_check check (kind in
  ('postgresql', 'mysql', 'sqlserver', 'oracle', 'ldap', 'ad', 'rest', 'scim', 'csv-sftp', 'csv-upload', 'wecom', 'dingtalk'));
alter table data_sources add column options jsonb not null default '{}';
comment on column data_sources.options is 'What only some kinds have; no secret is among it.';
