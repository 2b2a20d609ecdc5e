-- The worker reads and adds evaluations, and cannot change or remove any. It may set damaged segments aside by a function that
-- keeps all their data. Run this as a superuser after the owner has created the tables, and again after each new version of the
-- tables:
--
--     psql -d games -f worker.sql
--     psql -d games -c 'CREATE ROLE anna LOGIN IN ROLE gainalyze_worker'

SELECT 'CREATE ROLE gainalyze_worker NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gainalyze_worker') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO gainalyze_worker', current_database()) \gexec
GRANT USAGE ON SCHEMA gainalyze TO gainalyze_worker;
-- Revoke the rights that an earlier version of this file granted.
REVOKE ALL ON ALL TABLES IN SCHEMA gainalyze FROM gainalyze_worker;
GRANT SELECT ON ALL TABLES IN SCHEMA gainalyze TO gainalyze_worker;
GRANT INSERT ON gainalyze.origins, gainalyze.segments, gainalyze.engines TO gainalyze_worker;
GRANT UPDATE (behaviour, micros, seal) ON gainalyze.engines TO gainalyze_worker;
GRANT EXECUTE ON FUNCTION gainalyze.put_aside (bytea, integer, text) TO gainalyze_worker;
-- Rights on the queue, if the store has one.
SELECT format('GRANT %s ON gainalyze.%I TO gainalyze_worker', rights, tablename)
FROM pg_tables JOIN (VALUES
    ('tasks', 'UPDATE (worker, tries, is_set_aside), DELETE'),
    ('workers', 'INSERT, UPDATE (seen_at, ended_at, ending)'),
    ('work_done', 'INSERT, UPDATE (segments, positions, nodes, busy_ms)'),
    ('failures', 'INSERT')
) AS given (tablename, rights) USING (tablename) WHERE schemaname = 'gainalyze' \gexec
GRANT USAGE ON ALL SEQUENCES IN SCHEMA gainalyze TO gainalyze_worker;
