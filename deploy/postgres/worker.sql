-- Whoever searches: reads and adds evaluations, and removes and makes nothing else. What is damaged it may put aside, by a function
-- that keeps all of it. Run by a superuser when the owner has made the tables, and again after a new version of these:
--
--     psql -d games -f worker.sql
--     psql -d games -c 'CREATE ROLE anna LOGIN IN ROLE gainalyze_worker'

SELECT 'CREATE ROLE gainalyze_worker NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gainalyze_worker') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO gainalyze_worker', current_database()) \gexec
GRANT USAGE ON SCHEMA gainalyze TO gainalyze_worker;
GRANT SELECT ON ALL TABLES IN SCHEMA gainalyze TO gainalyze_worker;
GRANT INSERT ON gainalyze.origins TO gainalyze_worker;
GRANT INSERT, UPDATE ON gainalyze.segments, gainalyze.engines TO gainalyze_worker;
GRANT EXECUTE ON FUNCTION gainalyze.put_aside (bytea, integer, text) TO gainalyze_worker;
-- The queue, in versions that have one.
SELECT format('GRANT INSERT, UPDATE, DELETE ON gainalyze.%I TO gainalyze_worker', tablename)
FROM pg_tables WHERE schemaname = 'gainalyze' AND tablename IN ('tasks', 'workers', 'work_done', 'failures') \gexec
GRANT USAGE ON ALL SEQUENCES IN SCHEMA gainalyze TO gainalyze_worker;
