-- The institution's own wording: only what differs from what ships.
-- Versions come from one sequence, so that a text that was taken back and written again has none that it had before.
create sequence text_versions as int;

create table text_overrides (
  language text not null references languages (code) on delete cascade,
  key text not null,
  text text not null,
  -- What this was written in place of; where that differs from what ships by now, the text is outdated.
  source text not null,
  version int not null default nextval('text_versions'),
  updated_at timestamptz not null,
  primary key (language, key)
);
