alter table attempt_counters add column locks int not null default 0;
comment on column attempt_counters.locks is 'Locks since the last login, counted where each lasts longer than the one before.';
