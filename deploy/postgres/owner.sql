-- The owner of a store, who makes, upgrades and prunes its tables. Run this once, as a superuser, in the database for the
-- store:
--
--     psql -d games -f owner.sql
--
-- and then, as that user: gainalyze store stats postgres://gainalyze_owner@HOST/games

CREATE ROLE gainalyze_owner LOGIN;
SELECT format('GRANT CONNECT, CREATE ON DATABASE %I TO gainalyze_owner', current_database()) \gexec
-- \password gainalyze_owner asks for one and sends no more than its digest.
