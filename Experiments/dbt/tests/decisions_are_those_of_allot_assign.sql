-- Each decision of the warehouse that "allot assign" did not make, and each that the warehouse did not make.
with
decisions as (
  select unit, experiment, variant, reason, cast(bucket as varchar) as bucket, revision from {{ ref('decisions') }}
),
expected as (
  select
    cast(unit as varchar) as unit, experiment, variant, reason, cast(bucket as varchar) as bucket,
    cast(revision as varchar) as revision
  from {{ ref('expected_decisions') }}
)
(select * from decisions except all select * from expected)
union all
(select * from expected except all select * from decisions)
