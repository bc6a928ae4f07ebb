-- Written by "allot sql" for DuckDB: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of "app"."rides":
--   "city": unit ID
--   "line": unit ID
-- The instant of evaluation is that of each row in allot_source."ordered_at", which has the type TIMESTAMPTZ.
-- Proved equal to Allot's own decisions on DuckDB 2.0.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    allot_source."ordered_at" AS allot_at,
    NULLIF(CAST((allot_source."city" || '') AS VARCHAR) COLLATE "C", '') AS allot_city,
    NULLIF(CAST((allot_source."line" || '') AS VARCHAR) COLLATE "C", '') AS allot_line,
    allot_source.*
  FROM "app"."rides" AS allot_source
  ),
  -- Unit IDs of several attributes: their texts with "|" between them.
  allot_units AS (
  SELECT
    CASE WHEN strlen(allot_city) <= 1024 AND strlen(allot_line) <= 1024 THEN (replace(replace(allot_city, concat('', chr(92)), concat(chr(92), chr(92))), '|', concat(chr(92), '|')) || '|' || replace(replace(allot_line, concat('', chr(92)), concat(chr(92), chr(92))), '|', concat(chr(92), '|'))) COLLATE "C" END AS allot_joined_city_line,
    *
  FROM allot_attributes
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN strlen(allot_joined_city_line) <= 1024 AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    ((epoch_us(LEAST(GREATEST(allot_at, TIMESTAMPTZ '2026-05-31 00:00:00.500000+00'), TIMESTAMPTZ '9999-12-31 23:59:59.999999+00')) - 1780185600500000) // 3600000000) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN strlen(allot_city) <= 1024 AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    ((epoch_us(LEAST(GREATEST(allot_at, TIMESTAMPTZ '2026-05-31 22:00:00.000000+00'), TIMESTAMPTZ '9999-12-31 23:59:59.999999+00')) - 1780264800000000) // 86400000000) AS allot_window_1d_2026_05_31t22_00_00z,
    *
  FROM allot_units
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt. A bucket is below B of 1000000 if its ten digits
  -- are below those of B * 2^40 / 1000000, rounded up.
  allot_buckets AS (
  SELECT
    sha256('price:' || allot_unit_city_line || '@' || CAST(allot_window_1h_2026_05_31t00_00_00_5z AS VARCHAR) COLLATE "C") COLLATE "C" AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    sha256('queue:' || allot_unit_city || '@' || CAST((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2)) AS VARCHAR) COLLATE "C") COLLATE "C" AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal,
    *
  FROM allot_readings
  )
SELECT
  * EXCLUDE (
    allot_at, allot_city, allot_line, allot_joined_city_line, allot_unit_city_line,
    allot_window_1h_2026_05_31t00_00_00_5z, allot_unit_city, allot_window_1d_2026_05_31t22_00_00z,
    allot_digest_price_1h_2026_05_31t00_00_00_5z_c, allot_digest_queue_1d_2026_05_31t22_00_00z_bal
  ),
  -- price, revision e028050c07099293
  CASE
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < TIMESTAMPTZ '2026-05-31 00:00:00.500000+00' THEN NULL  -- not-started
    WHEN allot_digest_price_1h_2026_05_31t00_00_00_5z_c >= '999999999a' /* 600000 */ THEN NULL  -- traffic
    WHEN substr(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 11) COLLATE "C" < '8000000000' /* 500000 */ THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "price",
  -- queue, revision e06f552b57782a50
  CASE
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < TIMESTAMPTZ '2026-05-31 22:00:00.000000+00' THEN NULL  -- not-started
    WHEN ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - ((CAST('0x' || substr(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 11, 10) AS BIGINT) * 1000000) >> 40)) < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "queue"
FROM allot_buckets
