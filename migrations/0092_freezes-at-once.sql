-- A freeze that begins at once held on a node only from the time that its clock showed when it was set: a node whose clock was behind went on
-- letting the person log in.

alter table users add column frozen_at timestamptz;
comment on column users.frozen_at is 'When the freeze was set; null for one older than this column. Shown as the start of a freeze that began at once.';
comment on column users.frozen_from is 'When a planned freeze begins; 1970 for one that began at once, which holds by any clock.';
