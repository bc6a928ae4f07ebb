-- Written by "allot sql" for Trino: the variants of the experiments of revision 045fbcede476c885.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- With a period, "@" and the number of the window follow the ID.
-- The statement reads these columns of "app"."rides":
--   "city": unit ID
--   "line": unit ID
-- The instant of evaluation is that of each row in allot_source."ordered_at", which has the type TIMESTAMP WITH TIME ZONE.
-- From the documentation of Trino, not proved on the engine: compare some rows with "allot assign".
SELECT
  allot_source.*,
  -- price, revision e028050c07099293
  CASE
    WHEN allot_unit_city_line IS NULL THEN NULL  -- no-unit
    WHEN allot_unit_city_line IN ('berlin|U1') THEN 'green'  -- forced
    WHEN allot_at < TIMESTAMP '2026-05-31 00:00:00.500000 UTC' THEN NULL  -- not-started
    WHEN allot_first_price_1h_2026_05_31t00_00_00_5z_ci >= 600000 THEN NULL  -- traffic
    WHEN allot_second_price_1h_2026_05_31t00_00_00_5z_c < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "price",
  -- queue, revision e06f552b57782a50
  CASE
    WHEN allot_unit_city IS NULL THEN NULL  -- no-unit
    WHEN allot_at < TIMESTAMP '2026-05-31 22:00:00.000000 UTC' THEN NULL  -- not-started
    WHEN allot_mirrored_queue_1d_2026_05_31t22_00_00z_b < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS "queue"
FROM "app"."rides" AS allot_source
-- Unit IDs and attributes as text. What is empty is missing.
CROSS JOIN LATERAL (
  SELECT
    allot_source."ordered_at" AS allot_at,
    NULLIF(CAST(allot_source."city" AS VARCHAR), '') AS allot_city,
    NULLIF(CAST(allot_source."line" AS VARCHAR), '') AS allot_line
) AS allot_attributes
-- Unit IDs of several attributes: their texts with "|" between them.
CROSS JOIN LATERAL (
  SELECT
    CASE WHEN length(to_utf8(allot_city)) <= 1024 AND length(to_utf8(allot_line)) <= 1024 THEN (replace(replace(allot_city, U&'\\', U&'\\\\'), '|', U&'\\|') || '|' || replace(replace(allot_line, U&'\\', U&'\\\\'), '|', U&'\\|')) END AS allot_joined_city_line
) AS allot_units
-- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
CROSS JOIN LATERAL (
  SELECT
    CASE WHEN length(to_utf8(allot_joined_city_line)) <= 1024 AND allot_at IS NOT NULL THEN allot_joined_city_line END AS allot_unit_city_line,
    (date_diff('second', TIMESTAMP '2026-05-31 00:00:00.500000 UTC', allot_at) / 3600) AS allot_window_1h_2026_05_31t00_00_00_5z,
    CASE WHEN length(to_utf8(allot_city)) <= 1024 AND allot_at IS NOT NULL THEN allot_city END AS allot_unit_city,
    (date_diff('second', TIMESTAMP '2026-05-31 22:00:00.000000 UTC', allot_at) / 86400) AS allot_window_1d_2026_05_31t22_00_00z
) AS allot_readings
-- One SHA-256 of salt, ":" and unit ID for each salt.
CROSS JOIN LATERAL (
  SELECT
    sha256(to_utf8(('price:' || allot_unit_city_line || '@' || CAST(allot_window_1h_2026_05_31t00_00_00_5z AS VARCHAR)))) AS allot_digest_price_1h_2026_05_31t00_00_00_5z_c,
    sha256(to_utf8(('queue:' || allot_unit_city || '@' || CAST((allot_window_1d_2026_05_31t22_00_00z - MOD(allot_window_1d_2026_05_31t22_00_00z, 2)) AS VARCHAR)))) AS allot_digest_queue_1d_2026_05_31t22_00_00z_bal
) AS allot_digests
-- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
CROSS JOIN LATERAL (
  SELECT
    bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 1, 5))) * 1000000, 40) AS allot_first_price_1h_2026_05_31t00_00_00_5z_ci,
    bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_price_1h_2026_05_31t00_00_00_5z_c, 6, 5))) * 1000000, 40) AS allot_second_price_1h_2026_05_31t00_00_00_5z_c,
    ABS(999999 * MOD(allot_window_1d_2026_05_31t22_00_00z, 2) - (bitwise_right_shift(from_big_endian_64(concat(X'000000', substr(allot_digest_queue_1d_2026_05_31t22_00_00z_bal, 6, 5))) * 1000000, 40))) AS allot_mirrored_queue_1d_2026_05_31t22_00_00z_b
) AS allot_buckets
