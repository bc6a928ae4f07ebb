import AllotConfiguration

/// A moment in time, to the nanosecond: the engine has no clock, so that instants are arguments everywhere.
public typealias Instant = AllotConfiguration.Instant
