-- What the staged rows of an import take, so that there is a limit for each person without counting the rows of all their files.
alter table user_imports add column staged_bytes bigint not null default 0;
comment on column user_imports.staged_bytes is 'As they were staged; 0 when they are not kept any more.';
