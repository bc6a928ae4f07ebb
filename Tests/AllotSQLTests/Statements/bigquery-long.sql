-- Written by "allot sql" for BigQuery: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of `app`.`users`:
--   `id`: unit ID
--   `country`: text
--   `version`: version
--   `org_id`: unit ID
--   `seats`: number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- From the documentation of BigQuery, not proved on the engine: compare some rows with "allot assign".
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(COLLATE(CAST(allot_source.`id` AS STRING), ''), '') AS allot_user_id,
    NULLIF(COLLATE(CAST(allot_source.`country` AS STRING), ''), '') AS allot_country,
    NULLIF(COLLATE(CAST(allot_source.`version` AS STRING), ''), '') AS allot_version,
    NULLIF(COLLATE(CAST(allot_source.`org_id` AS STRING), ''), '') AS allot_org_id,
    NULLIF(COLLATE(CAST(allot_source.`seats` AS STRING), ''), '') AS allot_seats
  FROM `app`.`users` AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    allot_user_id, allot_country, allot_org_id,
    CASE WHEN BYTE_LENGTH(allot_user_id) <= 1024 THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN REGEXP_CONTAINS(allot_version, r'^(?:v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?)$') THEN allot_version END AS allot_version_version,
    CASE WHEN BYTE_LENGTH(allot_org_id) <= 1024 THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN BYTE_LENGTH(allot_seats) <= 40 AND REGEXP_CONTAINS(allot_seats, r'^(?:-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?)$') THEN SAFE_CAST(allot_seats AS FLOAT64) + 0 END AS allot_number_seats
  FROM allot_attributes
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt.
  allot_digests AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_version_version, allot_unit_org_id,
    allot_number_seats,
    COALESCE(REGEXP_EXTRACT(allot_version_version, r'^v?([0-9.]+)'), '') AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN COALESCE(REGEXP_EXTRACT(allot_version_version, r'^v?[0-9.]+-([0-9A-Za-z.-]+)'), '') END AS allot_prerelease_version,
    SHA256(CONCAT('button:', allot_unit_user_id)) AS allot_digest_button,
    SHA256(CONCAT('price:', allot_unit_org_id)) AS allot_digest_price_org_id
  FROM allot_readings
  ),
  -- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
  allot_buckets AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version,
    CASE WHEN allot_version_version IS NOT NULL THEN CONCAT(COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(0)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(0)], ''), ''), '0'), COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(1)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(1)], ''), ''), '0'), COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(2)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(2)], ''), ''), '0'), COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(3)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(3)], ''), ''), '0'), COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(4)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(4)], ''), ''), '0'), COLLATE(CAST(100000000 + length(COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(5)], ''), ''), '0')) AS STRING), ''), COALESCE(NULLIF(COALESCE(SPLIT(allot_numbers_version, '.')[SAFE_OFFSET(5)], ''), ''), '0')) END AS allot_core_version,
    (CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_button, 1, 5))) AS INT64) * 1000000) >> 40 AS allot_first_button,
    (CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_button, 6, 5))) AS INT64) * 1000000) >> 40 AS allot_second_button,
    (CAST(CONCAT('0x', TO_HEX(SUBSTR(allot_digest_price_org_id, 6, 5))) AS INT64) * 1000000) >> 40 AS allot_second_price_org_id
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    allot_user_id, allot_country, allot_org_id, allot_unit_user_id, allot_unit_org_id, allot_number_seats,
    allot_prerelease_version, allot_core_version, allot_first_button, allot_second_button,
    allot_second_price_org_id,
    CASE
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN ('it\'s me') THEN 'green'  -- forced
      WHEN NOT COALESCE(allot_country IN ('CÔTE D\'IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_first_button >= 800000 THEN NULL  -- traffic
      WHEN allot_second_button < 500000 THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button
  FROM allot_buckets
  ),
  -- The first check that applies gives the reason.
  allot_reasons AS (
  SELECT
    allot_user_id, allot_org_id, allot_second_button, allot_second_price_org_id, allot_variant_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      WHEN allot_unit_user_id IN ('it\'s me') THEN 'forced'
      WHEN NOT COALESCE(allot_country IN ('CÔTE D\'IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN 'audience'
      WHEN allot_first_button >= 800000 THEN 'traffic'
      ELSE 'split'
    END AS allot_reason_button,
    CASE
      WHEN allot_unit_user_id IS NULL THEN 'no-unit'
      ELSE 'winner'
    END AS allot_reason_layout,
    CASE
      WHEN allot_unit_org_id IS NULL THEN 'no-unit'
      WHEN NOT COALESCE(allot_variant_button IN ('green'), FALSE) THEN 'requirement'
      WHEN NOT COALESCE(allot_number_seats >= CAST('2.5' AS FLOAT64), FALSE) THEN 'audience'
      ELSE 'split'
    END AS allot_reason_price
  FROM allot_required_1
  ),
  -- The variants that are assigned.
  allot_variants AS (
  SELECT
    allot_user_id, allot_org_id, allot_second_button, allot_second_price_org_id, allot_variant_button,
    allot_reason_button, allot_reason_layout, allot_reason_price,
    CASE
      WHEN allot_reason_layout = 'winner' THEN 'green'
    END AS allot_variant_layout,
    CASE
      WHEN allot_reason_price <> 'split' THEN NULL
      WHEN allot_second_price_org_id < 500000 THEN 'control'
      ELSE 'green'
    END AS allot_variant_price
  FROM allot_reasons
  )
SELECT decision.unit, decision.experiment, decision.variant, decision.reason, decision.bucket, decision.revision
FROM allot_variants
CROSS JOIN UNNEST([
  STRUCT(allot_user_id AS unit, 'button' AS experiment, allot_variant_button AS variant, allot_reason_button AS reason, CASE WHEN allot_reason_button = 'split' THEN allot_second_button END AS bucket, '75aae4c86ec22dd0' AS revision),
  STRUCT(allot_user_id AS unit, 'layout' AS experiment, allot_variant_layout AS variant, allot_reason_layout AS reason, CAST(NULL AS BIGINT) AS bucket, 'b3805d544e1cf75c' AS revision),
  STRUCT(allot_org_id AS unit, 'price' AS experiment, allot_variant_price AS variant, allot_reason_price AS reason, CASE WHEN allot_reason_price = 'split' THEN allot_second_price_org_id END AS bucket, '20e474de42113b0e' AS revision)
]) AS decision
