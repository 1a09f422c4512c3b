-- An unknown login name is masked in its record, so many of them looked like one.

alter table login_records add column account_mac integer;
comment on column login_records.account_mac is 'Of an unknown name that was typed: part of a keyed hash of the name, the address and the day, which tells different names apart. Null: somebody has the name, or the record is older than this column.';
