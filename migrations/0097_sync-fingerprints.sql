-- Rows that say what they said, about people who are as they were, are not planned again.

alter table directory_links
  add column fingerprint text,
  add column person_hash bigint;
comment on column directory_links.fingerprint is
  'Keyed hash of what the source said when the person was last found or made to agree with it; null: unknown.';
comment on column directory_links.person_hash is 'Hash of the person''s fields at that time. Together they tell that nothing has to be done.';
