-- Hands over to `role` what the administrator made in this database, as an earlier version of docker-compose.yml did. Sequences of
-- a table follow the table, parts of an extension the extension.
\set ON_ERROR_STOP on
with objects (kind, name, oid, namespace, owner, class) as (
  select
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
    oid::regclass::text, oid, relnamespace, relowner, 'pg_class'::regclass
  from pg_class
  where relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'routine', oid::regprocedure::text, oid, pronamespace, proowner, 'pg_proc'::regclass
  from pg_proc
)
select format('alter %s %s owner to %I', kind, objects.name, :'role')
from objects
  join pg_namespace on pg_namespace.oid = namespace
where nspname !~ '^pg_' and nspname <> 'information_schema'
  and owner <> :'role'::regrole
  and not exists (
    select from pg_depend where classid = class and objid = objects.oid and deptype in ('e', 'a', 'i')
  )
\gexec
