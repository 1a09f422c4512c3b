-- Languages are data: one that does not ship takes what it lacks from one that does.
create sequence language_versions as int;

alter table languages
  add column direction text not null default 'ltr' check (direction in ('ltr', 'rtl')),
  -- A language that ships, where the texts come from that this one lacks; null: it ships itself.
  add column fallback text check (fallback in ('zh_CN', 'zh_TW', 'en')),
  add column version int not null default nextval('language_versions'),
  add column updated_at timestamptz not null default now();

-- The texts of a language that was deleted stay: whoever adds it again, or takes the deletion back, has them.
alter table text_overrides drop constraint text_overrides_language_fkey;
