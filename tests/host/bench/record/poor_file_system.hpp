// A file system without some features. The program is linked with --wrap for the calls below.
#pragma once

/// Calls that fail, with their errno values; 0 for a call that works.
struct Lacking {
    int flock = 0;
    int fchmod = 0;
};

/// While this lives, the file system lacks these features.
class PoorFileSystem {
 public:
    explicit PoorFileSystem(const Lacking& lacking);
    PoorFileSystem(const PoorFileSystem&) = delete;
    PoorFileSystem& operator=(const PoorFileSystem&) = delete;
    ~PoorFileSystem();
};
