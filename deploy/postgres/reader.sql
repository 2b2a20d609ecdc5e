-- The reader makes reports and exports, and may query the tables by SQL. Run this as a superuser after the owner has created the
-- tables, and again after each new version of the tables:
--
--     psql -d games -f reader.sql
--     psql -d games -c 'CREATE ROLE bert LOGIN IN ROLE gainalyze_reader'

SELECT 'CREATE ROLE gainalyze_reader NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gainalyze_reader') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO gainalyze_reader', current_database()) \gexec
GRANT USAGE ON SCHEMA gainalyze TO gainalyze_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA gainalyze TO gainalyze_reader;
