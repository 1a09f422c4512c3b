alter table settings add column file_keys text[] not null default '{}';
comment on column settings.file_keys is 'Keys that the bootstrap file set when it was last applied; pages show them and save none of them.';
