-- What may be typed as user name, and what is asked at an activation, became rules of the fields of a person.
create function pg_temp.field_rules(rule text, all_fields text[], named jsonb) returns jsonb language sql as $$
  select coalesce(jsonb_object_agg(f || '.' || rule, named ? f), '{}') from unnest(all_fields) f
  where jsonb_typeof(named) = 'array'
$$;

insert into settings (name, value, file_keys, updated_at)
select 'accountFields', moved.value,
  case when moved.by_file then array(select jsonb_object_keys(moved.value) order by 1) else '{}' end, moved.updated_at
from (
  select pg_temp.field_rules('isLoginName', '{account,alias,phone,mailbox}', value -> 'loginNames') as value,
    'loginNames' = any (file_keys) as by_file, updated_at
  from settings where name = 'login' and value ? 'loginNames') moved;

insert into settings as s (name, value, file_keys, updated_at)
select 'accountFields', moved.value,
  case when moved.by_file then array(select jsonb_object_keys(moved.value) order by 1) else '{}' end, moved.updated_at
from (
  select pg_temp.field_rules('askAtActivation', '{name,idNumber,birthday,phone,mailbox}', value -> 'fields') as value,
    'fields' = any (file_keys) as by_file, updated_at
  from settings where name = 'activation' and value ? 'fields') moved
on conflict (name) do update set value = s.value || excluded.value, file_keys = s.file_keys || excluded.file_keys;

update settings set value = value - 'loginNames', file_keys = array_remove(file_keys, 'loginNames'), version = version + 1
where name = 'login' and value ? 'loginNames';
update settings set value = value - 'fields', file_keys = array_remove(file_keys, 'fields'), version = version + 1
where name = 'activation' and value ? 'fields';
