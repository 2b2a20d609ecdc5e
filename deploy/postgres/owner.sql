-- The owner of a store creates, upgrades and prunes its tables. Run this once as a superuser, in the database for the store:
--
--     psql -d games -f owner.sql
--
-- Then, as gainalyze_owner, run: gainalyze store stats postgres://gainalyze_owner@HOST/games

CREATE ROLE gainalyze_owner LOGIN;
SELECT format('GRANT CONNECT, CREATE ON DATABASE %I TO gainalyze_owner', current_database()) \gexec
-- To set a password, use psql's \password gainalyze_owner. It sends only a digest of the password.
