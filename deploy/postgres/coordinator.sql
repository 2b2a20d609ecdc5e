-- The coordinator queues work. It has the rights of a worker, and may also begin, change and end runs. Run this as a superuser
-- after worker.sql:
--
--     psql -d games -f coordinator.sql
--     psql -d games -c 'CREATE ROLE carla LOGIN IN ROLE gainalyze_coordinator'

SELECT 'CREATE ROLE gainalyze_coordinator NOLOGIN IN ROLE gainalyze_worker'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gainalyze_coordinator') \gexec
SELECT format('GRANT %s ON gainalyze.%I TO gainalyze_coordinator', rights, tablename)
FROM pg_tables JOIN (VALUES
    ('runs', 'INSERT, UPDATE, DELETE'),
    ('tasks', 'INSERT'),
    ('workers', 'DELETE')
) AS given (tablename, rights) USING (tablename) WHERE schemaname = 'gainalyze' \gexec
