-- What was changed in the back office, without what people change about themselves --------------------------------------

drop index audit_records_kind;
create index audit_records_by_others on audit_records (target_kind, at desc, id desc)
  where user_id is null or actor_id is distinct from user_id;
