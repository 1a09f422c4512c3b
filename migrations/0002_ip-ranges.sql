-- IP ranges: a name for several networks, of a kind. Until now each network was a row of its own, and on campus or not.

alter table ip_ranges
  add column names jsonb not null default '{}',
  add column kind text not null default 'campus' check (kind in ('campus', 'trusted', 'blocked', 'other')),
  add column networks cidr[] not null default '{}',
  add column note text not null default '',
  add column enabled boolean not null default true,
  add column source text not null default 'manual' check (source in ('manual', 'import')),
  add column version int not null default 1,
  add column updated_at timestamptz not null default now();

with places as (
  select name, on_campus, (array_agg(id order by network))[1] as id, array_agg(network order by network) as networks
  from ip_ranges group by name, on_campus
), named as (
  select id, networks, on_campus,
    name || case when row_number() over (partition by name order by on_campus desc) > 1 then ' (2)' else '' end as name
  from places
)
update ip_ranges r
set networks = n.networks, name = n.name, kind = case when n.on_campus then 'campus' else 'other' end
from named n where n.id = r.id;
delete from ip_ranges where networks = '{}';

alter table ip_ranges
  drop column network,
  drop column on_campus,
  alter column kind drop default,
  alter column networks drop default,
  alter column updated_at drop default,
  add check (cardinality(networks) > 0),
  add unique (name);
comment on table ip_ranges is 'Which range an address is in, its smallest network decides; at most 10,000 ranges.';

alter table login_records add column ip_range text;
comment on column login_records.ip_range is 'What the range of the address was called at that time.';
