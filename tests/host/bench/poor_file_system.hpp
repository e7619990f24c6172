// A file system that lacks something, as some do. The program is linked with --wrap for the calls below.
#pragma once

/// Calls that fail, and the errno values that they fail with; 0 where one works.
struct Lacking {
    int link = 0;
    int flock = 0;
    int fcntl_lock = 0;
    int fchmod = 0;
};

/// For as long as this lives, files are on a file system that lacks these.
class PoorFileSystem {
 public:
    explicit PoorFileSystem(const Lacking& lacking);
    PoorFileSystem(const PoorFileSystem&) = delete;
    PoorFileSystem& operator=(const PoorFileSystem&) = delete;
    ~PoorFileSystem();
};
