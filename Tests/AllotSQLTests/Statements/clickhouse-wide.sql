-- Written by "allot sql" for ClickHouse: the variants of the experiments of revision 5a5aa40ef67a57ad.
-- Unit IDs are hashed as sha256/1: SHA-256 of salt, ":" and ID, both as UTF-8.
-- The statement reads these columns of `app`.`users`:
--   `id`: unit ID
--   `country`: text
--   `version`: version
--   `org_id`: unit ID
--   `seats`: number
-- The instant of evaluation is 2026-06-01T00:00:00Z.
-- Proved equal to Allot's own decisions on ClickHouse 26.9.
WITH
  -- Unit IDs and attributes as text. What is empty is missing.
  allot_attributes AS (
  SELECT
    NULLIF(toString(toNullable(allot_source.`id`)), '') AS allot_user_id,
    NULLIF(toString(toNullable(allot_source.`country`)), '') AS allot_country,
    NULLIF(toString(toNullable(allot_source.`version`)), '') AS allot_version,
    NULLIF(toString(toNullable(allot_source.`org_id`)), '') AS allot_org_id,
    NULLIF(toString(toNullable(allot_source.`seats`)), '') AS allot_seats,
    allot_source.*
  FROM `app`.`users` AS allot_source
  ),
  -- Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.
  allot_readings AS (
  SELECT
    CASE WHEN length(allot_user_id) <= 1024 AND isValidUTF8(allot_user_id) THEN allot_user_id END AS allot_unit_user_id,
    CASE WHEN match(allot_version, '^(v?(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?)?)?)?)?(-([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)([.]([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*))*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?)$') THEN allot_version END AS allot_version_version,
    CASE WHEN length(allot_org_id) <= 1024 AND isValidUTF8(allot_org_id) THEN allot_org_id END AS allot_unit_org_id,
    CASE WHEN length(allot_seats) <= 40 AND match(allot_seats, '^(-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?)$') THEN if(getSetting('precise_float_parsing'), toFloat64OrNull(allot_seats), JSONExtract(assumeNotNull(concat(replaceRegexpOne(allot_seats, '^(-?)0+([0-9])', '\\1\\2'), if(match(allot_seats, '[.eE]'), '', 'e0'))), 'Nullable(Float64)')) + 0 END AS allot_number_seats,
    *
  FROM allot_attributes
  ),
  -- One SHA-256 of salt, ":" and unit ID for each salt.
  allot_digests AS (
  SELECT
    regexpExtract(allot_version_version, '^v?([0-9.]+)', 1) AS allot_numbers_version,
    CASE WHEN allot_version_version IS NOT NULL THEN regexpExtract(allot_version_version, '^v?[0-9.]+-([0-9A-Za-z.-]+)', 1) END AS allot_prerelease_version,
    SHA256(concat('button:', allot_unit_user_id)) AS allot_digest_button,
    SHA256(concat('price:', allot_unit_org_id)) AS allot_digest_price_org_id,
    *
  FROM allot_readings
  ),
  -- Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.
  allot_buckets AS (
  SELECT
    CASE WHEN allot_version_version IS NOT NULL THEN concat(toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 1), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 1), ''), '0'), toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 2), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 2), ''), '0'), toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 3), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 3), ''), '0'), toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 4), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 4), ''), '0'), toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 5), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 5), ''), '0'), toString(100000000 + lengthUTF8(COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 6), ''), '0'))), COALESCE(NULLIF(arrayElement(splitByChar('.', assumeNotNull(allot_numbers_version)), 6), ''), '0')) END AS allot_core_version,
    bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_button, 1, 8))), 24) * 1000000, 40) AS allot_first_button,
    bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_button, 6, 8))), 24) * 1000000, 40) AS allot_second_button,
    bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(allot_digest_price_org_id, 6, 8))), 24) * 1000000, 40) AS allot_second_price_org_id,
    *
  FROM allot_digests
  ),
  -- Variants that other experiments require.
  allot_required_1 AS (
  SELECT
    CASE
      WHEN ignore(allot_country, allot_unit_user_id, allot_prerelease_version, allot_core_version, allot_first_button, allot_second_button) THEN NULL
      WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
      WHEN allot_unit_user_id IN ('it\x27s me') THEN 'green'  -- forced
      WHEN NOT ifNull(allot_country IN ('CÔTE D\x27IVOIRE', 'DE')
          AND (allot_core_version > '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
            OR (allot_core_version = '100000001210000000111000000010100000001010000000101000000010' /* 2.1 */
              AND allot_prerelease_version = '')), FALSE)
      THEN NULL  -- audience
      WHEN allot_first_button >= 800000 THEN NULL  -- traffic
      WHEN allot_second_button < 500000 THEN 'control'  -- split
      ELSE 'green'  -- split
    END AS allot_variant_button,
    *
  FROM allot_buckets
  )
SELECT
  * EXCEPT (
    allot_user_id, allot_country, allot_version, allot_org_id, allot_seats, allot_unit_user_id,
    allot_version_version, allot_unit_org_id, allot_number_seats, allot_numbers_version,
    allot_prerelease_version, allot_digest_button, allot_digest_price_org_id, allot_core_version,
    allot_first_button, allot_second_button, allot_second_price_org_id, allot_variant_button
  ),
  -- button, revision 75aae4c86ec22dd0
  allot_variant_button AS `button`,
  -- layout, revision b3805d544e1cf75c
  CASE
    WHEN ignore(allot_unit_user_id) THEN NULL
    WHEN allot_unit_user_id IS NULL THEN NULL  -- no-unit
    ELSE 'green'  -- winner
  END AS `layout`,
  -- price, revision 20e474de42113b0e
  CASE
    WHEN ignore(allot_unit_org_id, allot_number_seats, allot_second_price_org_id, allot_variant_button) THEN NULL
    WHEN allot_unit_org_id IS NULL THEN NULL  -- no-unit
    WHEN NOT ifNull(allot_variant_button IN ('green'), FALSE) THEN NULL  -- requirement
    WHEN NOT ifNull(allot_number_seats >= 2.5, FALSE) THEN NULL  -- audience
    WHEN allot_second_price_org_id < 500000 THEN 'control'  -- split
    ELSE 'green'  -- split
  END AS `price`
FROM allot_required_1
