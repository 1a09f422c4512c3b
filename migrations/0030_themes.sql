-- Themes that an institution made itself; those that ship lie in the code.

create table themes (
  id uuid primary key,
  name text not null unique,
  names jsonb not null default '{}',
  design jsonb,
  draft jsonb,
  version int not null default 1,
  updated_at timestamptz not null
);
comment on table themes is 'Colours and background of the pages; at most 50. Read key by key: what is missing or unknown is as shipped.';
comment on column themes.design is 'What is published; null: never.';
comment on column themes.draft is 'What is being worked on; null: nothing since it was published.';
