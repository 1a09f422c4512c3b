-- What was changed in the back office, by kind -----------------------------------------------------------------------

create index audit_records_kind on audit_records (target_kind, at desc, id desc);
