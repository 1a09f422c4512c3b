-- Logins are found by the request ID of an error page, and by values that few of them have.

-- Tests and imports write no ID; one bucket for all of them would be long.
create index login_records_request on login_records using hash (request_id) where request_id <> '';

-- Browser, device, second factor and rules are counted by the hour from now on, of earlier logins too.
update statistics_progress set counted_until = first_hour;
