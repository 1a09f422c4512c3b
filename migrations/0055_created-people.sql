-- Whoever comes by another system and is unknown here may become somebody here.

alter table third_party_providers drop constraint third_party_providers_unbound_check;
alter table third_party_providers add constraint third_party_providers_unbound_check
  check (unbound in ('refuse', 'bind', 'create'));
alter table third_party_providers add column creates jsonb not null default '{}';
comment on column third_party_providers.creates is 'With unbound = create: organisation and category of who is created, whether they may log in at once, and for how many days.';
