-- Who has still to activate, of a faculty: without it everybody of the faculty was read to find every seventh.
create index users_inactive_organization on users (organization_id) where not activated and deleted_at is null;
