-- Values of the fields that an institution defines itself (settings document accountFields, key custom).
alter table users add column custom_values jsonb constraint users_custom_values check (jsonb_typeof(custom_values) = 'object');
comment on column users.custom_values is 'Texts by the key of their field; null: none. What belongs to no field any more is shown to nobody.';
-- Who has just this value of this field; a login changes none of it and stays a heap-only update.
create index users_custom_values on users using gin (custom_values jsonb_path_ops) where custom_values is not null;
