// Exists so that tests/catch.hpp is precompiled once for all test programs (cmake/Catch.cmake).
