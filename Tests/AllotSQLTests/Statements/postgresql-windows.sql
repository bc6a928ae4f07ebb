-- Written by "allot sql" for PostgreSQL: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of "app"."rides":
--   "city": unit ID
--   "line": unit ID
-- The instant of evaluation is that of each row in allot_source."ordered_at", which has the type timestamptz.
-- Proved equal to Allot's own decisions on PostgreSQL 15.
-- The encoding of the database must be UTF8 (SHOW server_encoding).
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    allot_source."ordered_at" AS allot_at,
    NULLIF(CAST((allot_source."city" || '') AS text) COLLATE "C", '') AS allot_city,
    NULLIF(CAST((allot_source."line" || '') AS text) COLLATE "C", '') AS allot_line,
    allot_source AS allot_row
  FROM "app"."rides" AS allot_source
  OFFSET 0
  ),
  -- Unit IDs of several attributes: their texts with "|" between them.
  allot_units AS (
  SELECT
    CASE WHEN octet_length(allot_city) <= 1024 AND octet_length(allot_line) <= 1024 THEN (replace(replace(allot_city, E'\\', E'\\\\'), '|', E'\\|') || '|' || replace(replace(allot_line, E'\\', E'\\\\'), '|', E'\\|')) END AS allot_joined_city_line,
    *
  FROM allot_attributes
  OFFSET 0
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN octet_length(allot_joined_city_line) <= 1024 AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    ((CAST(EXTRACT(EPOCH FROM date_trunc('second', LEAST(GREATEST(allot_at, TIMESTAMPTZ '2026-05-31 00:00:00.500000+00'), TIMESTAMPTZ '9999-12-31 23:59:59.999999+00') - INTERVAL '500000 microseconds')) AS bigint) - 1780185600) / 3600) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN octet_length(allot_city) <= 1024 AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    ((CAST(EXTRACT(EPOCH FROM date_trunc('second', LEAST(GREATEST(allot_at, TIMESTAMPTZ '2026-05-31 22:00:00.000000+00'), TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'))) AS bigint) - 1780264800) / 86400) AS allot_window_1d_2026_05_31t22_00_00z,
    *
  FROM allot_units
  OFFSET 0
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    sha256(convert_to(('price:' || allot_unit_city_line || '@' || CAST(allot_window_1h_2026_05_31t00_00_00_5z AS text) COLLATE "C"), 'UTF8')) AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    sha256(convert_to(('queue:' || allot_unit_city || '@' || CAST((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2)) AS text) COLLATE "C"), 'UTF8')) AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    *
  FROM allot_readings
  OFFSET 0
  )
SELECT
  (allot_row).*,
  -- price, revision e028050c07099293
  CASE
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < TIMESTAMPTZ '2026-05-31 00:00:00.500000+00' THEN NULL  -- not-started
    WHEN allot_digest_price_1h_2026_05_31t00_00_00_5z_c >= decode('999999999a', 'hex') /* 600000 */ THEN NULL  -- traffic
    WHEN substr(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 6) < decode('8000000000', 'hex') /* 500000 */ THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "price",
  -- queue, revision e06f552b57782a50
  CASE
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < TIMESTAMPTZ '2026-05-31 22:00:00.000000+00' THEN NULL  -- not-started
    WHEN ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - ((((get_byte(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 5)::bigint << 32) | (get_byte(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 6)::bigint << 24) | (get_byte(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 7)::bigint << 16) | (get_byte(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 8)::bigint << 8) | get_byte(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 9)) * 1000000) >> 40)) < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "queue"
FROM allot_buckets
