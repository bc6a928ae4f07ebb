-- Each user and experiment whose variant differs from that of "allot assign".
with
found as (
  unpivot (select user_id, cast(columns('-') as varchar) from {{ ref('assigned') }})
  on columns(* exclude user_id) into name experiment value variant
),
expected as (
  unpivot (select user_id, cast(columns('-') as varchar) from {{ ref('expected_variants') }})
  on columns(* exclude user_id) into name experiment value variant
)
(select * from found except all select * from expected)
union all
(select * from expected except all select * from found)
