-- What a person chose on the home page, and the announcements that stand there.

create table announcements (
  id uuid primary key,
  titles jsonb not null,
  texts jsonb not null,
  url text,
  shown_from timestamptz,
  shown_until timestamptz,
  categories text[] not null,
  organizations uuid[] not null,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column announcements.categories is 'Codes of user categories. Nobody is named here and in organizations: everybody sees it.';

create table home_page_choices (
  user_id uuid primary key references users on delete cascade,
  favourites uuid[] not null default '{}',
  read_announcements uuid[] not null default '{}',
  updated_at timestamptz not null
);
comment on column home_page_choices.favourites is 'Applications in the order that the person gave them; one that was deleted is left out of whatever reads this.';
