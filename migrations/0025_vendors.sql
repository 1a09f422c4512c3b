alter table third_party_providers add column set_by_file boolean not null default false;
comment on column third_party_providers.set_by_file is 'The bootstrap file named it when it was last applied: a page shows it and saves nothing.';
