-- Incremental runs: only what a cursor column says has changed since the last applied run.

alter table directory_syncs drop column cursor_column;
alter table directory_syncs add column cursor_column text;
alter table directory_syncs add column cursor_key text;
comment on column directory_syncs.cursor_column is 'The column by which changed rows are told; null: every run reads all.';
comment on column directory_syncs.cursor_key is 'The table and column that the cursor is of: of another one it says nothing.';
