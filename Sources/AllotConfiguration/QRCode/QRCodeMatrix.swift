struct QRCodeMatrix {
    private let width: Int
    private var isDark: [Bool]
    /// Whether each module belongs to a mark, the version or the format, which are not masked.
    private var isFixed: [Bool]

    init(_ version: QRCodeVersion, _ codewords: [UInt8]) {
        width = version.width
        isDark = Array(repeating: false, count: width * width)
        isFixed = isDark
        placeMarks(version.markCentres)
        if version.number > 6 { placeVersion(version.number) }
        // Its modules are taken.
        placeFormat(mask: 0)
        place(codewords)
    }

    /// The modules under the mask that is easiest to read: the first one with the lowest penalty.
    func masked() -> [Bool] {
        var best = (penalty: Int.max, modules: isDark)
        for mask in Self.masks.indices {
            var candidate = self
            candidate.apply(mask)
            let penalty = candidate.penalty
            if penalty < best.penalty { best = (penalty, candidate.isDark) }
        }
        return best.modules
    }

    private mutating func fix(_ row: Int, _ column: Int, _ dark: Bool) {
        isDark[row * width + column] = dark
        isFixed[row * width + column] = true
    }

    private mutating func placeMarks(_ centres: [Int]) {
        for index in 0..<width {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, width - 4), (width - 4, 3)] { placeMark(row, column, radius: 4) }
        let last = width - 7
        for row in centres {
            for column in centres {
                let isTaken = row == 6 && (column == 6 || column == last) || row == last && column == 6
                if !isTaken { placeMark(row, column, radius: 2) }
            }
        }
    }

    /// Places squares in one another: dark and light in turn, and two dark ones in the middle of a large mark.
    private mutating func placeMark(_ row: Int, _ column: Int, radius: Int) {
        for down in -radius...radius where (0..<width).contains(row + down) {
            for right in -radius...radius where (0..<width).contains(column + right) {
                let distance = max(abs(down), abs(right))
                fix(row + down, column + right, radius == 4 ? distance != 2 && distance != 4 : distance != 1)
            }
        }
    }

    /// Places the version with its correction, twice.
    private mutating func placeVersion(_ number: Int) {
        var correction = number
        for _ in 0..<12 { correction = correction << 1 ^ (correction >> 11) * 0x1F25 }
        let bits = number << 12 | correction
        for index in 0..<18 {
            let (far, near) = (width - 11 + index % 3, index / 3)
            fix(far, near, bits >> index & 1 == 1)
            fix(near, far, bits >> index & 1 == 1)
        }
    }

    /// Places the level and the mask with their correction, twice.
    private mutating func placeFormat(mask: Int) {
        // 01 is level L.
        let data = 0b01 << 3 | mask
        var correction = data
        for _ in 0..<10 { correction = correction << 1 ^ (correction >> 9) * 0x537 }
        let bits = (data << 10 | correction) ^ 0x5412
        // Around the mark at the top left; the line between the marks is left out.
        let rows = [0, 1, 2, 3, 4, 5, 7, 8]
        let columns = [7, 5, 4, 3, 2, 1, 0]
        for index in 0..<15 {
            let dark = bits >> index & 1 == 1
            if index < 8 {
                fix(rows[index], 8, dark)
                fix(8, width - 1 - index, dark)
            } else {
                fix(8, columns[index - 8], dark)
                fix(width - 15 + index, 8, dark)
            }
        }
        fix(width - 8, 8, true)
    }

    /// Places the bits upwards and downwards in turn, two columns at a time from the right.
    private mutating func place(_ codewords: [UInt8]) {
        var index = 0
        for pair in 0..<width / 2 {
            var right = width - 1 - 2 * pair
            // The column of the timing pattern is left out.
            if right <= 6 { right -= 1 }
            for step in 0..<width {
                let row = pair % 2 == 0 ? width - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * width + column] && index < codewords.count * 8 {
                    isDark[row * width + column] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    index += 1
                }
            }
        }
    }

    /// The masks: they invert the modules of the rows and columns for which they are 0.
    private static let masks: [@Sendable (_ row: Int, _ column: Int) -> Int] = [
        { row, column in (row + column) % 2 }, { row, _ in row % 2 }, { _, column in column % 3 },
        { row, column in (row + column) % 3 }, { row, column in (row / 2 + column / 3) % 2 },
        { row, column in row * column % 2 + row * column % 3 },
        { row, column in (row * column % 2 + row * column % 3) % 2 },
        { row, column in (row * column % 3 + (row + column) % 2) % 2 },
    ]

    private mutating func apply(_ mask: Int) {
        for row in 0..<width {
            for column in 0..<width where !isFixed[row * width + column] && Self.masks[mask](row, column) == 0 {
                isDark[row * width + column].toggle()
            }
        }
        placeFormat(mask: mask)
    }
}

extension QRCodeMatrix {
    /// The penalty for what is hard to read, as libqrencode counts it: squares and long runs of one colour, runs that
    /// look like a mark, and more modules of one colour than of the other.
    private var penalty: Int {
        var penalty = 0
        for row in 1..<width {
            for column in 1..<width {
                let place = row * width + column
                let dark = isDark[place]
                if isDark[place - 1] == dark, isDark[place - width] == dark, isDark[place - width - 1] == dark {
                    penalty += 3
                }
            }
        }
        for line in 0..<width {
            penalty += linePenalty(from: line * width, step: 1) + linePenalty(from: line, step: width)
        }
        let count = isDark.count { $0 }
        let percentage = (200 * count + isDark.count) / isDark.count / 2
        return penalty + abs(percentage - 50) / 5 * 10
    }

    private func linePenalty(from start: Int, step: Int) -> Int {
        // Light and dark runs in turn; the first one may be empty.
        var runs = [0]
        for index in 0..<width {
            if isDark[start + index * step] != runs.count.isMultiple(of: 2) { runs.append(0) }
            runs[runs.count - 1] += 1
        }
        var penalty = 0
        for (index, length) in runs.enumerated() {
            if length >= 5 { penalty += length - 2 }
            if Self.isMark(runs, index) { penalty += 40 }
        }
        return penalty
    }

    /// Whether a dark run is the middle of runs in the ratio 1 : 1 : 3 : 1 : 1, with a light run of 4 on one side.
    private static func isMark(_ runs: [Int], _ index: Int) -> Bool {
        guard index >= 3, index % 2 == 1, index + 2 < runs.count, runs[index].isMultiple(of: 3) else { return false }
        let unit = runs[index] / 3
        guard [index - 2, index - 1, index + 1, index + 2].allSatisfy({ runs[$0] == unit }) else { return false }
        return index == 3 || runs[index - 3] >= 4 * unit || index + 4 >= runs.count || runs[index + 3] >= 4 * unit
    }
}
