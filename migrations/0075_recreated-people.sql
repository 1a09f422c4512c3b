-- Somebody linked who was deleted and is here again can be linked anew.

alter table directory_matches
  drop constraint directory_matches_kind_check,
  add constraint directory_matches_kind_check check (kind in
    ('several-people', 'account-taken', 'other-account', 'linked-already', 'renamed', 'deleted-here', 'recreated'));
