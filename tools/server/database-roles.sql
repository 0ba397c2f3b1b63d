-- The roles and databases of docker-compose.yml, for psql 15 or newer as the administrator. It may run again at any time: it makes
-- what is missing and sets the passwords.
--
-- Each role owns its databases and can connect to no other one. Neither is a superuser: a superuser reads and writes files of the
-- server and starts programs there.
\set ON_ERROR_STOP on
\getenv temporal_password TEMPORAL_DB_PASSWORD
\getenv ledger_password LEDGER_DB_PASSWORD

-- Passwords stand in statements, which must not enter the server's log.
set log_statement = 'none';
set log_min_error_statement = 'panic';
set log_min_duration_statement = -1;

select format('create role %I', role)
from unnest(array['temporal', 'ledger']) as role
where not exists (select from pg_roles where rolname = role)
\gexec
alter role temporal login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'temporal_password';
alter role ledger login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'ledger_password';

create temporary view owned (name, role) as
values ('temporal', 'temporal'), ('temporal_visibility', 'temporal'), ('prospect_sync', 'ledger');

select format('create database %I', name) from owned
where not exists (select from pg_database where datname = name)
\gexec
select format('alter database %I owner to %I', name, role) from owned \gexec

-- PUBLIC may connect to every new database; the owner may connect to its own.
select format('revoke all on database %I from public', datname) from pg_database where datallowconn \gexec
