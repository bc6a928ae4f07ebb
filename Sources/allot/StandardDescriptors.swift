import Glibc

/// The three descriptors that a program starts with.
enum StandardDescriptors {
    /// Fills those that are closed, as after `2>&-`, so that no file that is opened later takes their place and
    /// receives messages. What fills them fails as a closed descriptor does: standard input cannot be read, standard
    /// output and standard error cannot be written.
    static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
