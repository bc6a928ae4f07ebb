# Buckets that the gems flipper and rollout (Debian's ruby-flipper and ruby-rollout) give, found by raising the
# percentage. Reads a JSON array of [salt, unit] on standard input.
require "json"
require "flipper"
require "rollout"

# The gates want a context and a feature of which they read a few members only.
Context = Struct.new(:feature_name, :thing, :values)
Actor = Struct.new(:flipper_id)

def flipper_bucket(salt, unit)
  gate = Flipper::Gates::PercentageOfActors.new
  (0...100_000).bsearch do |bucket|
    gate.open?(Context.new(salt, Actor.new(unit), { percentage_of_actors: Rational(bucket + 1, 1000) }))
  end
end

def rollout_bucket(salt, unit)
  feature = Rollout::Feature.new(salt, nil, randomize_percentage: true)
  (0...1_000_000).bsearch do |bucket|
    feature.percentage = 100.0 * (bucket + 1) / 1_000_000
    feature.active?(nil, unit)
  end
end

pairs = JSON.parse($stdin.read)
puts JSON.generate(
  "flipper" => pairs.map { |salt, unit| flipper_bucket(salt, unit) },
  "rollout" => pairs.map { |salt, unit| rollout_bucket(salt, unit) })
